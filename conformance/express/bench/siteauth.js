import { ServerAuth, session } from '@siteauth/express'
import { ourConfig } from '../../../bench/lib/site.mjs'

export function addRoutes(app) {
  app.use('/auth', ServerAuth(ourConfig))
  app.get('/who', session(ourConfig), (_req, res) => {
    res.json({ hello: res.locals.session?.user?.name })
  })
}
