import type { APIRoute } from 'astro'
import { probe } from '../probe'

export const ALL: APIRoute = () =>
  probe.isInFront ? new Response(probe.ran()) : new Response(null, { status: 404 })
