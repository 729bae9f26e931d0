import { headers } from 'next/headers'
import { auth } from '../../../auth'

/** What a route handler behind the proxy sees. */
export async function GET() {
  const seen = await headers()
  return Response.json({
    fromProxy: seen.get('x-from-proxy'),
    accept: seen.get('accept'),
    asked: seen.get('x-siteauth-asked'),
    user: (await auth())?.user ?? null,
  })
}
