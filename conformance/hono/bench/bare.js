import { user } from '../../../bench/lib/site.mjs'

export function addRoutes(app) {
  app.get('/who', c => c.json({ hello: user.name }))
}
