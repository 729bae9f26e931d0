import { authHandler, initAuthConfig, verifyAuth } from '@hono/auth-js'
import { config } from '../../../bench/lib/site.mjs'

export function addRoutes(app) {
  app.use(
    '*',
    initAuthConfig(() => ({ ...config })),
  )
  app.use('/api/auth/*', authHandler())
  app.use('/who', verifyAuth())
  app.get('/who', c => c.json({ hello: c.get('authUser').session.user?.name }))
}
