import { SiteAuth } from '@siteauth/express'
import { ourConfig } from '../../../bench/lib/site.mjs'

export function addRoutes(app) {
  const auth = SiteAuth(ourConfig)
  app.use('/auth', auth.handler)
  app.get('/who', auth.sessionMiddleware, (_req, res) => {
    res.json({ hello: res.locals.session?.user?.name })
  })
}
