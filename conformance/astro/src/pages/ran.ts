import type { APIRoute } from 'astro'
import { probe } from '../probe'

export const GET: APIRoute = ({ cache }) => {
  cache.set(false)
  return new Response(String(probe.count))
}
