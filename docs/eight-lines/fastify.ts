import GitHub from '@siteauth/core/providers/github'
import { SiteAuth } from '@siteauth/fastify'
import Fastify from 'fastify'

const app = Fastify()

// #region create
const auth = SiteAuth({ providers: [GitHub], session: { expose: ['role'] } })
// #endregion

// #region endpoints
app.register(auth.plugin)
// #endregion

// #region read
app.get('/', request => auth.getSession(request))
// #endregion

// #region guard
app.get('/account', { preHandler: auth.requireSession() }, async request => request.session.user)
// #endregion

// #region allow
const isAda = auth.requireSession({ allow: ({ user }) => user?.email === 'ada@example.com' })
app.get('/ada', { preHandler: isAda }, async () => 'Hello, Ada')
// #endregion

// #region role
const isEditor = auth.requireSession({ allow: ({ user }) => user?.role === 'editor' })
app.get('/edit', { preHandler: isEditor }, async () => 'Hello, editor')
// #endregion

// #region sign-in-and-out
app.post('/login', request => auth.signIn(request, 'github'))
app.post('/logout', request => auth.signOut(request, { redirectTo: '/' }))
// #endregion

// #region access-token
app.get('/token', async request => {
  const { expiresAt } = await auth.accounts.getAccessToken(request, 'github')
  return { expiresAt }
})
// #endregion
