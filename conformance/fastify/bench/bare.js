import { user } from '../../../bench/lib/site.mjs'

export function addRoutes(app) {
  app.get('/who', async () => ({ hello: user.name }))
}
