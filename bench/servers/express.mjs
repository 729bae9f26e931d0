// An Express application with two routes: one that says who is signed in, written as the documentation
// of each contender tells one to write it, and one that says the same without knowing.
import { createServer } from 'node:http'
import express from 'express'
import { serve } from '../lib/servers.mjs'

const SECRET = 'a secret of at least thirty-two characters'
const user = { name: 'Ann Example', email: 'ann.example@example.com', image: null }
const claims = { sub: '8f14e45f-ceea-467f-a9d8-2b1f6f0c9a11', ...user }
const config = { secret: SECRET, trustHost: true, providers: [] }
const COOKIE = 'authjs.session-token'

// As it comes, with ETags, as nearly all are run. Without them the bare route is quicker by a tenth, and
// whatever stands beside it looks worse.
const app = express()
if (process.env.ETAGS === 'off') app.disable('etag')

app.get('/bare', (_req, res) => answer(res, user))

function answer(res, found) {
  if (found?.name !== user.name) return res.status(500).end()
  res.json({ hello: found.name })
}

const contenders = {
  async 'SiteAuth getSession, every token opened'() {
    const { getSession } = await import('@siteauth/express')
    const opening = { ...config, jwt: { cacheSize: 0 } }
    app.get('/', async (req, res) => answer(res, (await getSession(req, opening))?.user))
    return tokens()
  },
  async 'SiteAuth getSession, tokens recur'() {
    const { getSession } = await import('@siteauth/express')
    app.get('/', async (req, res) => answer(res, (await getSession(req, config))?.user))
    return tokens()
  },
  async 'SiteAuth session(), tokens recur'() {
    const { session } = await import('@siteauth/express')
    app.get('/', session(config), (_req, res) => answer(res, res.locals.session?.user))
    return tokens()
  },
  async '@auth/express getSession'() {
    const { getSession } = await import('@auth/express')
    const old = { ...config, basePath: '/auth' }
    app.get('/', async (req, res) => answer(res, (await getSession(req, old))?.user))
    return tokens()
  },
  async 'express-session in memory'() {
    app.get('/', await storedSession(), (req, res) => {
      if (req.query.login) req.session.user = user
      answer(res, req.session.user)
    })
    return login
  },
  async 'passport on express-session'() {
    const { default: passport } = await import('passport')
    const people = new passport.Passport()
    people.serializeUser((_user, done) => done(null, '1'))
    people.deserializeUser((_id, done) => done(null, user))
    app.get('/', await storedSession(), people.session(), (req, res, next) => {
      if (!req.query.login) return answer(res, req.user)
      req.login(user, error => (error ? next(error) : answer(res, user)))
    })
    return login
  },
  async 'cookie-session'() {
    const { default: cookieSession } = await import('cookie-session')
    app.get('/', cookieSession({ keys: [SECRET] }), (req, res) => {
      if (req.query.login) req.session.user = user
      answer(res, req.session.user)
    })
    return login
  },
  async 'iron-session'() {
    const { getIronSession, sealData } = await import('iron-session')
    const iron = { password: SECRET, cookieName: 'iron' }
    app.get('/', async (req, res) => answer(res, (await getIronSession(req, res, iron)).user))
    return [`iron=${await sealData({ user }, iron)}`]
  },
  'Better Auth, memory': () => betterAuth('Better Auth, memory'),
  'Better Auth, cookie cache': () => betterAuth('Better Auth, cookie cache'),
}

const cookies = await contenders[process.argv[2]]()
await serve(createServer(app), async origin => {
  const sent = typeof cookies === 'function' ? await cookies(origin) : cookies
  return sent.map(cookie => ({ headers: { cookie } }))
})

/** Few enough to recur, and for whoever opens each of them as good as any number. */
async function tokens() {
  const { encode } = await import('@siteauth/core/jwt')
  const token = async () =>
    `${COOKIE}=${await encode({ token: claims, secret: SECRET, salt: COOKIE })}`
  return Promise.all(Array.from({ length: 100 }, token))
}

async function storedSession() {
  const { default: expressSession } = await import('express-session')
  return expressSession({
    secret: SECRET,
    resave: false,
    saveUninitialized: false,
    store: Object.assign(new expressSession.MemoryStore(), { constructor: Object }),
  })
}

async function login(origin) {
  const response = await fetch(`${origin}/?login=1`)
  return [
    response.headers
      .getSetCookie()
      .map(line => line.split(';')[0])
      .join('; '),
  ]
}

async function betterAuth(name) {
  const { betterAuthKinds, startBetterAuth } = await import('../lib/better-auth.mjs')
  const { fromNodeHeaders } = await import('better-auth/node')
  const { auth, cookie } = await startBetterAuth(SECRET, betterAuthKinds[name])
  app.get('/', async (req, res) => {
    const session = await auth.api.getSession({ headers: fromNodeHeaders(req.headers) })
    answer(res, session?.user)
  })
  return [cookie]
}
