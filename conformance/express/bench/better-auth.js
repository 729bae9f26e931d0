import { betterAuth } from 'better-auth'
import { memoryAdapter } from 'better-auth/adapters/memory'
import { fromNodeHeaders, toNodeHandler } from 'better-auth/node'
import { betterAuthOptions } from '../../../bench/lib/site.mjs'

const auth = betterAuth(betterAuthOptions(memoryAdapter))

export function addRoutes(app) {
  app.all('/api/auth/*splat', toNodeHandler(auth))
  app.get('/who', async (req, res) => {
    const session = await auth.api.getSession({ headers: fromNodeHeaders(req.headers) })
    res.json({ hello: session?.user.name })
  })
}
