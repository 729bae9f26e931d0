import type { APIRoute } from 'astro'
import { auth } from '../auth'

export const GET: APIRoute = async context => {
  const session = await auth.requireSession(context, { allow: ({ user }) => user?.name === 'Ada' })
  return session instanceof Response ? session : new Response('admin')
}
