import type { APIRoute } from 'astro'
import { auth } from '../auth'

export const POST: APIRoute = async context => {
  await auth.signOut(context)
  throw new Error('The application failed after that.')
}
