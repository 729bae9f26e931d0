// How long it takes to know who is signed in, from the cookie header of a request. The limit is the
// same token verified, decrypted and parsed with Node's own functions and the keys at hand. Opening a
// token without making those functions' objects goes below it.
import {
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  timingSafeEqual,
} from 'node:crypto'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { Auth } from '@auth/core'
import { decode as decodeOld } from '@auth/core/jwt'
import { getSession as getOldSession } from '@auth/express'
import { createAuth } from '@siteauth/core'
import { encode, getToken } from '@siteauth/core/jwt'
import GitHub from '@siteauth/core/providers/github'
import { getSession } from '@siteauth/express'
import cookieSession from 'cookie-session'
import expressSession from 'express-session'
import { sealData, unsealData } from 'iron-session'
import { jwtDecrypt } from 'jose'
import { betterAuthKinds, cookiesOf, startBetterAuth } from './lib/better-auth.mjs'
import { measure } from './lib/measure.mjs'
import { report, timeColumns } from './lib/report.mjs'

const secret = 'a secret of at least thirty-two characters'
const salt = '__Secure-authjs.session-token'
const DAY = 24 * 60 * 60 * 1000
const url = 'https://app.example.com/auth/session'
const socket = new Socket()
const quick = process.env.QUICK ? { rounds: 5 } : {}

await compareKinds()
await comparePeers()
await compareSizes()

/** Ours, alone with what it stands on. */
async function compareKinds() {
  const visitor = await visitorWith(410)
  const off = { jwt: { cacheSize: 0 } }
  const opening = ours(off)
  const remembering = ours()
  const callbacks = {
    jwt: ({ token }) => token,
    session: ({ session, token }) => ({ ...session, user: { ...session.user, id: token.sub } }),
  }
  const withCallbacks = ours({ ...off, callbacks })
  const rememberingCallbacks = ours({ callbacks })
  const many = ours({
    ...off,
    providers: Array.from({ length: 200 }, (_, index) =>
      GitHub({ id: `github-${index}`, clientId: 'a', clientSecret: 'b' }),
    ),
  })
  const due = createAuth(
    { secret, trustHost: true, providers: [], ...off, ports: { now: () => Date.now() + 2 * DAY } },
    { env: {} },
  )
  report('session-check', {
    title: 'Who is signed in, from the cookie of a request',
    note: `Claims of ${visitor.claims} bytes, one at a time. Limit: verify, decrypt and parse with \`Hmac\` and \`Decipher\` of Node.`,
    rows: await measure(
      [
        { name: 'limit', run: () => limit(visitor.token()) },
        mark('every token opened', () => opening.getSession(visitor.request())),
        mark('the same, 200 providers configured', () => many.getSession(visitor.request())),
        mark('the same, with callbacks', () => withCallbacks.getSession(visitor.request())),
        mark('the same, renewing the cookie', () => due.renewSession(visitor.request())),
        mark('token remembered', () => remembering.getSession(visitor.request())),
        mark('the same, with callbacks', () => rememberingCallbacks.getSession(visitor.request())),
        mark('getToken', () => getToken({ req: visitor.request(), secureCookie: true, secret })),
      ],
      quick,
    ),
    columns: timeColumns,
  })
}

/** Everything that people use, in one process. */
async function comparePeers() {
  const visitor = await visitorWith(410)
  const opening = ours({ jwt: { cacheSize: 0 } })
  const remembering = ours()
  const expressConfig = { secret, trustHost: true, providers: [], useSecureCookies: true }
  const old = { secret, trustHost: true, providers: [], basePath: '/auth', logger: silent() }
  const oldExpress = { ...old, useSecureCookies: true }
  const key = new Uint8Array(keyBits())
  const iron = { password: secret }
  const ironToken = await sealData(JSON.parse(visitor.text), iron)
  report('session-peers', {
    title: 'Who is signed in: against the peers',
    note: 'express-session looks into a map, cookie-session only signs; all others verify and decrypt, or verify and look up.',
    rows: await measure(
      [
        { name: 'limit', run: () => limit(visitor.token()) },
        mark('SiteAuth, token remembered', () => remembering.getSession(visitor.request())),
        mark('SiteAuth, every token opened', () => opening.getSession(visitor.request())),
        mark('SiteAuth for Express', () => getSession(visitor.nodeRequest(), expressConfig)),
        mark('SiteAuth, GET session to JSON', async () =>
          (await opening.handle(webRequest(visitor))).json(),
        ),
        { name: 'cookie-session', run: await cookieSessionCheck() },
        { name: 'express-session', run: await expressSessionCheck() },
        {
          name: 'jose jwtDecrypt, key at hand',
          run: () => jwtDecrypt(visitor.token(), key),
        },
        { name: 'iron-session', run: () => unsealData(fresh(ironToken), iron) },
        ...(await betterAuthChecks()),
        {
          name: '@auth/core decode',
          run: () => decodeOld({ token: visitor.token(), secret, salt }),
        },
        {
          name: '@auth/express getSession',
          run: () => getOldSession(visitor.nodeRequest(), oldExpress),
        },
        {
          name: '@auth/core, GET session to JSON',
          run: async () => (await Auth(webRequest(visitor), old)).json(),
        },
      ],
      { rounds: 21, ...quick },
    ),
    columns: timeColumns,
    bars: {
      heading: 'Time, as a multiple of verifying, decrypting and parsing alone. Shorter is better.',
    },
  })
}

/** What larger claims cost. */
async function compareSizes() {
  const sizes = [200, 410, 1000, 4000, 16_000]
  const visitors = await Promise.all(sizes.map(visitorWith))
  const opening = ours({ jwt: { cacheSize: 0 } })
  const reference = visitors[1]
  report('session-claims', {
    title: 'Who is signed in, by the size of the claims',
    note: 'Limit: claims of 0.4 kB.',
    rows: await measure(
      [
        { name: 'limit, 0.4 kB', run: () => limit(reference.token()) },
        ...visitors.flatMap((visitor, index) => {
          const size = `${(sizes[index] / 1000).toFixed(1)} kB`
          return [
            ...(visitor === reference
              ? []
              : [{ name: `limit, ${size}`, run: () => limit(visitor.token()) }]),
            mark(`SiteAuth, ${size}`, () => opening.getSession(visitor.request())),
          ]
        }),
      ],
      quick,
    ),
    columns: timeColumns,
  })
}

function mark(name, run) {
  return { name, run, ours: true }
}

function ours(options) {
  return createAuth({ secret, trustHost: true, providers: [], ...options }, { env: {} })
}

/** Somebody whose claims have a size. What comes from a network is a new string each time. */
async function visitorWith(size) {
  const claims = {
    sub: '8f14e45f-ceea-467f-a9d8-2b1f6f0c9a11',
    name: 'Ann Example',
    email: 'ann.example@example.com',
  }
  const token = await sealTo(claims, size)
  const text = JSON.stringify(limit(token))
  const cookies = [
    `__Host-authjs.csrf-token=${'a'.repeat(64)}%7C${'b'.repeat(64)}`,
    `__Secure-authjs.callback-url=${encodeURIComponent('https://app.example.com/dashboard')}`,
    `${salt}=${token}`,
  ].join('; ')
  const headers = () => ({ cookie: fresh(cookies), host: 'app.example.com' })
  return {
    claims: text.length,
    text,
    token: () => fresh(token),
    cookie: () => fresh(cookies),
    request: () => ({ headers: headers(), url }),
    nodeRequest: () => nodeRequest(headers()),
  }
}

async function sealTo(claims, size) {
  const rest = size - JSON.stringify(limit(await encode({ token: claims, secret, salt }))).length
  const note = 'x'.repeat(Math.max(0, rest - '"note":"",'.length))
  return encode({ token: note ? { ...claims, note } : claims, secret, salt })
}

function fresh(text) {
  return Buffer.from(text, 'latin1').toString('latin1')
}

function webRequest(visitor) {
  return new Request(url, { headers: { cookie: visitor.cookie() } })
}

function nodeRequest(headers) {
  const req = new IncomingMessage(socket)
  Object.assign(req.headers, headers)
  return Object.assign(req, {
    url: '/',
    originalUrl: '/',
    method: 'GET',
    protocol: 'https',
    host: 'app.example.com',
    get: name => headers[name.toLowerCase()],
  })
}

function cookieSessionCheck() {
  return middlewareCheck(cookieSession({ keys: [secret], name: 'session' }))
}

function expressSessionCheck() {
  const store = new expressSession.MemoryStore()
  return middlewareCheck(
    expressSession({ secret, resave: false, saveUninitialized: false, store }),
    session => new Promise(resolve => session.save(resolve)),
  )
}

/** Signs somebody in, and gives a function that reads who it is. */
async function middlewareCheck(middleware, save = () => {}) {
  const first = nodeRequest({})
  const res = new ServerResponse(first)
  await passes(middleware, first, res)
  first.session.user = { name: 'Ann Example', email: 'ann.example@example.com' }
  await save(first.session)
  res.writeHead(200)
  const cookie = cookiesOf(res.getHeader('set-cookie'))
  return async () => {
    const req = nodeRequest({ cookie: fresh(cookie) })
    await passes(middleware, req, new ServerResponse(req))
    if (req.session.user.name !== 'Ann Example') throw new Error('nobody')
  }
}

function passes(middleware, req, res) {
  return new Promise((resolve, reject) => {
    middleware(req, res, error => (error ? reject(error) : resolve()))
  })
}

function betterAuthChecks() {
  return Promise.all(
    Object.entries(betterAuthKinds).map(async ([name, options]) => {
      const { auth, cookie } = await startBetterAuth(secret, options)
      const run = async () => {
        const found = await auth.api.getSession({ headers: new Headers({ cookie: fresh(cookie) }) })
        if (!found) throw new Error('nobody')
      }
      return { name, run }
    }),
  )
}

function silent() {
  return { error() {}, warn() {}, debug() {} }
}

function limit(text) {
  limit.key ??= keyObjects()
  const [header, , iv64, ciphertext64, tag64] = text.split('.')
  const iv = Buffer.from(iv64, 'base64url')
  const ciphertext = Buffer.from(ciphertext64, 'base64url')
  const bitLength = Buffer.alloc(8)
  bitLength.writeUInt32BE(header.length * 8, 4)
  const tag = createHmac('sha512', limit.key.mac)
    .update(header)
    .update(iv)
    .update(ciphertext)
    .update(bitLength)
    .digest()
    .subarray(0, 32)
  if (!timingSafeEqual(tag, Buffer.from(tag64, 'base64url'))) throw new Error('forged')
  const decipher = createDecipheriv('aes-256-cbc', limit.key.encryption, iv)
  return JSON.parse(decipher.update(ciphertext, undefined, 'utf8') + decipher.final('utf8'))
}

function keyBits() {
  return Buffer.from(
    hkdfSync('sha256', secret, salt, `Auth.js Generated Encryption Key (${salt})`, 64),
  )
}

function keyObjects() {
  const bits = keyBits()
  return {
    mac: createSecretKey(bits.subarray(0, 32)),
    encryption: createSecretKey(bits.subarray(32)),
  }
}
