import GitHub from '@siteauth/core/providers/github'
import { SiteAuth } from '@siteauth/express'
import express from 'express'

const app = express()

// #region create
const auth = SiteAuth({ providers: [GitHub], session: { expose: ['role'] } })
// #endregion

// #region endpoints
app.use('/auth', auth.handler)
// #endregion

// #region read
app.get('/', async (req, res) => void res.json(await auth.getSession(req)))
// #endregion

// #region guard
app.get('/account', auth.requireSession(), (_req, res) => void res.json(res.locals.session))
// #endregion

// #region allow
const isAda = auth.requireSession({ allow: ({ user }) => user?.email === 'ada@example.com' })
app.get('/ada', isAda, (_req, res) => void res.send('Hello, Ada'))
// #endregion

// #region role
const isEditor = auth.requireSession({ allow: ({ user }) => user?.role === 'editor' })
app.get('/edit', isEditor, (_req, res) => void res.send('Hello, editor'))
// #endregion

// #region sign-in-and-out
app.post('/login', async req => void (await auth.signIn(req, 'github')))
app.post('/logout', async req => void (await auth.signOut(req, { redirectTo: '/' })))
// #endregion

// #region access-token
app.get('/token', async (req, res) => {
  const { expiresAt } = await auth.accounts.getAccessToken(req, 'github')
  res.json({ expiresAt })
})
// #endregion
