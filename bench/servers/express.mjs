// An Express application with two routes: one that says who is signed in, written as the documentation
// of each contender tells one to write it, and one that says the same without knowing.
import { createServer } from 'node:http'
import express from 'express'
import { serve } from '../lib/servers.mjs'
import {
  betterAuth,
  config,
  ironSession,
  login,
  requestsWith,
  signedSession,
  storedSession,
  tokens,
  user,
} from '../lib/signed-in.mjs'

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
    const opening = { ...config, jwt: { cacheBytes: 0 } }
    app.get('/', async (req, res) => answer(res, (await getSession(req, opening))?.user))
    return tokens()
  },
  async 'SiteAuth getSession, tokens recur'() {
    const { getSession } = await import('@siteauth/express')
    app.get('/', async (req, res) => answer(res, (await getSession(req, config))?.user))
    return tokens()
  },
  async 'SiteAuth session(), tokens recur'() {
    const { SiteAuth } = await import('@siteauth/express')
    app.get('/', SiteAuth(config).sessionMiddleware, (_req, res) =>
      answer(res, res.locals.session?.user),
    )
    return tokens()
  },
  async '@auth/express getSession'() {
    const { getSession } = await import('@auth/express')
    const old = { ...config, basePath: '/auth' }
    app.get('/', async (req, res) => answer(res, (await getSession(req, old))?.user))
    return tokens()
  },
  'express-session in memory': async () => withMiddleware(await storedSession()),
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
  'cookie-session': async () => withMiddleware(await signedSession()),
  'iron-session': async () => withFunction(await ironSession()),
  'Better Auth, memory': async () => withFunction(await betterAuth('Better Auth, memory')),
  'Better Auth, cookie cache': async () =>
    withFunction(await betterAuth('Better Auth, cookie cache')),
}

const cookies = await contenders[process.argv[2]]()
await serve(createServer(app), requestsWith(cookies))

function withFunction({ find, cookies }) {
  app.get('/', async (req, res) => answer(res, await find(req, res)))
  return cookies
}

function withMiddleware(middleware) {
  app.get('/', middleware, (req, res) => {
    if (req.query.login) req.session.user = user
    answer(res, req.session.user)
  })
  return login
}
