import { betterAuth } from 'better-auth'
import { memoryAdapter } from 'better-auth/adapters/memory'
import { betterAuthOptions } from '../../../../../bench/lib/site.mjs'

const auth = betterAuth(betterAuthOptions(memoryAdapter))

export const endpoint = ({ request }) => auth.handler(request)

export async function who({ request }) {
  const session = await auth.api.getSession({ headers: request.headers })
  return Response.json({ hello: session?.user.name })
}
