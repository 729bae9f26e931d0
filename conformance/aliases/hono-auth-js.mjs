import Credentials from '@auth/core/providers/credentials'
import { authHandler, getAuthUser, initAuthConfig, verifyAuth } from '@hono/auth-js'
import { Hono } from 'hono'
import { authorize, settings, visit } from './visit.mjs'

const app = new Hono()
app.use(
  '*',
  initAuthConfig(() => ({
    ...settings,
    providers: [Credentials({ credentials: { name: {} }, authorize })],
  })),
)
app.use('/api/auth/*', authHandler())
app.get('/me', async c => c.json((await getAuthUser(c))?.session.user.name ?? null))
app.use('/api/*', verifyAuth())
app.get('/api/me', c => c.json(c.get('authUser').token.name))

await visit(
  async request => app.fetch(request),
  'http://localhost/api/auth',
  async headers => {
    const guarded = await app.request('/api/me', { headers })
    const open = await (await app.request('/me', { headers })).json()
    return guarded.status === 401 ? (open ?? undefined) : guarded.json()
  },
)
