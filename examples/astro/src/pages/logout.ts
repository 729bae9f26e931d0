import type { APIRoute } from 'astro'
import { auth } from '../auth'

export const POST: APIRoute = context => auth.signOut(context, { redirectTo: '/' })
