import { auth } from '../../auth'

export async function GET() {
  await auth.getSession()
  const headers = { 'cache-control': 'public, max-age=60', 'set-cookie': 'own=yes' }
  return new Response('cached', { headers })
}
