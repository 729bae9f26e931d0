import { SiteAuth } from '@siteauth/hono'
import { ourConfig } from '../../../bench/lib/site.mjs'

const auth = SiteAuth(ourConfig)

export function addRoutes(app) {
  app.use(auth.handler)
  app.get('/who', auth.sessionMiddleware, c => c.json({ hello: c.var.session?.user?.name }))
}
