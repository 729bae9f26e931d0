// An Express application that signs people in with a password, in two requests: one for the token that
// the form must carry, one for the form. `authorize` does nothing, so that what is left is the library.
import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import express from 'express'
import { serve } from '../lib/servers.mjs'

const SECRET = 'a secret of at least thirty-two characters'
const user = { id: '1', name: 'Ann Example', email: 'ann@example.com' }
const credentials = { username: {}, password: {} }
const app = express()

const contenders = {
  /** What cannot be left out, without a library: a random token, a hash, a form, a cookie. */
  bare() {
    app.get('/auth/csrf', (_req, res) => {
      const csrfToken = randomBytes(32).toString('hex')
      const hash = createHash('sha256')
        .update(csrfToken + SECRET)
        .digest('hex')
      res.cookie('csrf', `${csrfToken}|${hash}`, { httpOnly: true, sameSite: 'lax' })
      res.json({ csrfToken })
    })
    app.post('/auth/callback/credentials', express.urlencoded({ extended: false }), (req, res) => {
      if (req.body.username !== 'ann') return res.status(401).end()
      res.cookie('session', randomBytes(300).toString('base64url'), { httpOnly: true })
      res.redirect('/')
    })
  },
  async SiteAuth() {
    const { ServerAuth } = await import('@siteauth/express')
    const { default: Credentials } = await import('@siteauth/core/providers/credentials')
    const provider = Credentials({ credentials, authorize: () => user })
    // Attempts for one account are limited, and here all are for the same.
    const config = { secret: SECRET, trustHost: true, providers: [provider], limits: false }
    app.use('/auth', ServerAuth(config))
  },
  async '@auth/express'() {
    const { ExpressAuth } = await import('@auth/express')
    const { default: Credentials } = await import('@auth/core/providers/credentials')
    const provider = Credentials({ credentials, authorize: () => user })
    const config = { secret: SECRET, trustHost: true, basePath: '/auth', providers: [provider] }
    app.use(/^\/auth\/(.*)$/, ExpressAuth(config))
  },
}

await contenders[process.argv[2]]()
await serve(createServer(app))
