import { ExpressAuth, getSession } from '@auth/express'
import { config } from '../../../bench/lib/site.mjs'

async function session(req, res, next) {
  res.locals.session = await getSession(req, config)
  next()
}

export function addRoutes(app) {
  app.use('/auth/*splat', ExpressAuth(config))
  app.get('/who', session, (_req, res) => res.json({ hello: res.locals.session?.user?.name }))
}
