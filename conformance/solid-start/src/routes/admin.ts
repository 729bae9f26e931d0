import { auth } from '../auth'

export async function GET() {
  const session = await auth.guard({ allow: ({ user }) => user?.name === 'Ada' })
  return session instanceof Response ? session : new Response('admin')
}
