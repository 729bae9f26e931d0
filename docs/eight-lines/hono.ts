import GitHub from '@siteauth/core/providers/github'
import { SiteAuth } from '@siteauth/hono'
import { Hono } from 'hono'

const app = new Hono()

// #region create
const auth = SiteAuth({ providers: [GitHub], session: { expose: ['role'] } })
// #endregion

// #region endpoints
app.use(auth.handler)
// #endregion

// #region read
app.get('/', async c => c.json(await auth.getSession(c)))
// #endregion

// #region guard
app.get('/account', auth.requireSession(), c => c.json(c.var.session.user))
// #endregion

// #region allow
const isAda = auth.requireSession({ allow: ({ user }) => user?.email === 'ada@example.com' })
app.get('/ada', isAda, c => c.text('Hello, Ada'))
// #endregion

// #region role
const isEditor = auth.requireSession({ allow: ({ user }) => user?.role === 'editor' })
app.get('/edit', isEditor, c => c.text('Hello, editor'))
// #endregion

// #region sign-in-and-out
app.post('/login', c => auth.signIn(c, 'github'))
app.post('/logout', c => auth.signOut(c, { redirectTo: '/' }))
// #endregion

// #region access-token
app.get('/token', async c => {
  const { expiresAt } = await auth.accounts.getAccessToken(c, 'github')
  return c.json({ expiresAt })
})
// #endregion

export default app
