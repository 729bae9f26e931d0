import type { APIRoute } from 'astro'
import { auth } from '../../auth'
import { probe } from '../../probe'

export const GET: APIRoute = async context => {
  if (!probe.isInFront) {
    const session = await auth.requireSession(context)
    if (session instanceof Response) return session
  }
  return new Response(probe.ran())
}
