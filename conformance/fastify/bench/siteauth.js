import { SiteAuth } from '@siteauth/fastify'
import { ourConfig } from '../../../bench/lib/site.mjs'

const auth = SiteAuth(ourConfig)

export async function addRoutes(app) {
  await app.register(auth.plugin)
  app.get('/who', async request => {
    const session = await auth.getSession(request)
    return { hello: session?.user?.name }
  })
}
