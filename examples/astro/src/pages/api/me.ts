import type { APIRoute } from 'astro'
import { auth } from '../../auth'

export const GET: APIRoute = async context => {
  const session = await auth.requireSession(context)
  return session instanceof Response ? session : Response.json(session.user)
}
