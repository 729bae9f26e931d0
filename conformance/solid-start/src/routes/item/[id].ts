import { auth, probe } from '../../auth'

async function answer() {
  const session = probe.isInFront ? null : await auth.guard()
  return session instanceof Response ? session : new Response(probe.ran())
}

export function GET() {
  return answer()
}

export function POST() {
  return answer()
}
