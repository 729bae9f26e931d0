import Credentials from '@siteauth/core/providers/credentials'
import { AuthError, SiteAuth } from '@siteauth/express'
import express from 'express'
import { html } from './html.js'

const auth = SiteAuth({
  providers: [
    Credentials({
      credentials: { name: { label: 'Name' }, password: { label: 'Password', type: 'password' } },
      // Instead of this, look the user up and compare a hash of the password.
      authorize: ({ name, password }) =>
        typeof name === 'string' && name && password === 'open sesame' ? { id: name, name } : null,
    }),
  ],
  pages: { signIn: '/login' },
})

/** The application, without a port to listen at. */
export function createApp() {
  const app = express()
  app.set('trust proxy', 'loopback') // a proxy on the same machine terminates TLS
  app.use('/auth', auth.handler)
  app.use(express.urlencoded({ extended: false }))
  app.use(auth.sessionMiddleware) // every page knows who is there

  app.get('/', (_req, res) => {
    const { user } = res.locals.session ?? {}
    res.send(
      user
        ? html`<p>Hello, ${user.name}. <a href="/account">Your account</a></p>
            <form method="post" action="/logout"><button>Sign out</button></form>`
        : html`<p>Hello, stranger. <a href="/login">Sign in</a></p>`,
    )
  })

  app.get('/account', auth.requireSession(), (_req, res) => {
    res.send(html`<p>The account of ${res.locals.session.user?.name}</p>`)
  })

  app.get('/login', (req, res) => {
    res.send(loginPage(String(req.query.callbackUrl ?? '/')))
  })

  app.post('/login', async (req, res, next) => {
    const { name, password, callbackUrl } = req.body ?? {}
    try {
      await auth.signIn(req, 'credentials', { name, password, redirectTo: callbackUrl })
    } catch (error) {
      if (!(error instanceof AuthError)) return next(error)
      res.status(401).send(loginPage(String(callbackUrl ?? '/'), 'Wrong name or password.'))
    }
  })

  app.post('/logout', (req, _res, next) => {
    auth.signOut(req, { redirectTo: '/' }).catch(next)
  })

  const api = express.Router()
  api.use(auth.requireSession())
  api.get('/me', (_req, res) => {
    res.json(res.locals.session.user)
  })
  app.use('/api', api)

  return app
}

function loginPage(callbackUrl, problem = '') {
  return html`<form method="post" action="/login">
    <p role="alert">${problem}</p>
    <input type="hidden" name="callbackUrl" value="${callbackUrl}" />
    <label>Name <input name="name" autocomplete="username" required /></label>
    <label>Password <input name="password" type="password" autocomplete="current-password" /></label>
    <button>Sign in</button>
  </form>`
}
