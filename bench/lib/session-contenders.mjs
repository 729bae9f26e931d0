// Everything that people use to know who is signed in, each asked about the same visitor.
import { ServerResponse } from 'node:http'
import { Auth } from '@auth/core'
import { decode as decodeOld } from '@auth/core/jwt'
import { getSession as getOldSession } from '@auth/express'
import { createAuth } from '@siteauth/core'
import { getSession } from '@siteauth/express'
import cookieSession from 'cookie-session'
import expressSession from 'express-session'
import { sealData, unsealData } from 'iron-session'
import { jwtDecrypt } from 'jose'
import { betterAuthKinds, cookiesOf, startBetterAuth } from './better-auth.mjs'
import { nextAuthCheck } from './next-auth.mjs'
import { fresh, keyBits, nodeRequest, secret, url } from './visitor.mjs'

/** How much browsers keep in one cookie. */
const COOKIE_SIZE = 4096
const logger = { error() {}, warn() {}, debug() {} }

export function ours(options) {
  return createAuth({ secret, trustHost: true, providers: [], ...options }, { env: {} })
}

export function mark(name, run) {
  return { name, run, ours: true }
}

/** Contenders who can be asked about a visitor: some keep what they know in one cookie, or not at all. */
export async function contendersFor(visitor) {
  const opening = ours({ jwt: { cacheBytes: 0 } })
  const remembering = ours()
  const expressConfig = { secret, trustHost: true, providers: [], useSecureCookies: true }
  const old = { secret, trustHost: true, providers: [], basePath: '/auth', logger }
  const oldExpress = { ...old, useSecureCookies: true }
  const nextAuth = nextAuthCheck({ secret, trustHost: true, providers: [], logger })
  const key = new Uint8Array(keyBits())
  return [
    mark('SiteAuth, token remembered', () => remembering.getSession(visitor.request())),
    mark('SiteAuth, every token opened', () => opening.getSession(visitor.request())),
    mark('SiteAuth for Express, token remembered', () =>
      getSession(visitor.nodeRequest(), expressConfig),
    ),
    mark('SiteAuth, GET session to JSON', async () =>
      (await opening.handle(webRequest(visitor))).json(),
    ),
    ...(await cookieSessionCheck(visitor)),
    await expressSessionCheck(visitor),
    { name: 'jose jwtDecrypt, key at hand', run: () => jwtDecrypt(visitor.token(), key) },
    ...(await ironSessionCheck(visitor)),
    ...(await betterAuthChecks(visitor)),
    {
      name: '@auth/core decode',
      run: () => decodeOld({ token: visitor.token(), secret, salt: visitor.salt }),
    },
    {
      name: '@auth/express getSession',
      run: () => getOldSession(visitor.nodeRequest(), oldExpress),
    },
    { name: 'next-auth, auth around a function', run: () => nextAuth(url, visitor.cookie()) },
    {
      name: '@auth/core, GET session to JSON',
      run: async () => (await Auth(webRequest(visitor), old)).json(),
    },
  ]
}

function webRequest(visitor) {
  return new Request(url, { headers: { cookie: visitor.cookie() } })
}

async function cookieSessionCheck(visitor) {
  const middleware = cookieSession({ keys: [secret], name: 'session' })
  const { run, cookie } = await middlewareCheck(middleware, visitor)
  return cookie.length > COOKIE_SIZE ? [] : [{ name: 'cookie-session', run }]
}

async function expressSessionCheck(visitor) {
  const store = new expressSession.MemoryStore()
  const options = { secret, resave: false, saveUninitialized: false, store }
  const { run } = await middlewareCheck(
    expressSession(options),
    visitor,
    session => new Promise(resolve => session.save(resolve)),
  )
  return { name: 'express-session', run }
}

/** Signs somebody in, and gives a function that reads who it is. */
async function middlewareCheck(middleware, { claims }, save = () => {}) {
  const first = nodeRequest({})
  const res = new ServerResponse(first)
  await passes(middleware, first, res)
  first.session.user = claims
  await save(first.session)
  res.writeHead(200)
  const cookie = cookiesOf(res.getHeader('set-cookie'))
  const run = async () => {
    const req = nodeRequest({ cookie: fresh(cookie) })
    await passes(middleware, req, new ServerResponse(req))
    if (req.session.user.name !== claims.name) throw new Error('nobody')
  }
  return { run, cookie }
}

function passes(middleware, req, res) {
  return new Promise((resolve, reject) => {
    middleware(req, res, error => (error ? reject(error) : resolve()))
  })
}

async function ironSessionCheck({ claims }) {
  const iron = { password: secret }
  const token = await sealData(claims, iron)
  if (token.length > COOKIE_SIZE) return []
  return [{ name: 'iron-session', run: () => unsealData(fresh(token), iron) }]
}

function betterAuthChecks({ claims }) {
  return Promise.all(
    Object.entries(betterAuthKinds).map(async ([name, options]) => {
      const { auth, cookie } = await startBetterAuth(secret, options, claims.note)
      const run = async () => {
        const found = await auth.api.getSession({ headers: new Headers({ cookie: fresh(cookie) }) })
        if (!found) throw new Error('nobody')
      }
      return { name, run }
    }),
  )
}
