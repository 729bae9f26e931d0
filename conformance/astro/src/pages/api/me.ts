import type { APIRoute } from 'astro'
import { auth } from '../../auth'

export const GET: APIRoute = async context => Response.json(await auth.getSession(context))
