import { auth } from '../../auth'

export async function GET() {
  const session = await auth.guard()
  return session instanceof Response ? session : Response.json(session.user)
}
