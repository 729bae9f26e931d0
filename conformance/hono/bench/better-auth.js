import { betterAuth } from 'better-auth'
import { memoryAdapter } from 'better-auth/adapters/memory'
import { betterAuthOptions } from '../../../bench/lib/site.mjs'

const auth = betterAuth(betterAuthOptions(memoryAdapter))

export function addRoutes(app) {
  app.on(['POST', 'GET'], '/api/auth/*', c => auth.handler(c.req.raw))
  app.get('/who', async c => {
    const session = await auth.api.getSession({ headers: c.req.raw.headers })
    return c.json({ hello: session?.user.name })
  })
}
