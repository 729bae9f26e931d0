import { user } from '../../../bench/lib/site.mjs'

export function addRoutes(app) {
  app.get('/who', (_req, res) => res.json({ hello: user.name }))
}
