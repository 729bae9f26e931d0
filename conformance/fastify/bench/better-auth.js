import { betterAuth } from 'better-auth'
import { memoryAdapter } from 'better-auth/adapters/memory'
import { fromNodeHeaders } from 'better-auth/node'
import { betterAuthOptions } from '../../../bench/lib/site.mjs'

const auth = betterAuth(betterAuthOptions(memoryAdapter))

export function addRoutes(app) {
  app.route({
    method: ['GET', 'POST'],
    url: '/api/auth/*',
    async handler(request) {
      const url = new URL(request.url, `http://${request.headers.host}`)
      const headers = fromNodeHeaders(request.headers)
      const body = request.body ? JSON.stringify(request.body) : undefined
      return auth.handler(new Request(url, { method: request.method, headers, body }))
    },
  })
  app.get('/who', async request => {
    const session = await auth.api.getSession({ headers: fromNodeHeaders(request.headers) })
    return { hello: session?.user.name }
  })
}
