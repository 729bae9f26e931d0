// How long it takes to know who is signed in, from the cookie header of a request. The limit is what
// cannot be left out: verify, decrypt and parse the same token, with the keys at hand.
import {
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  timingSafeEqual,
} from 'node:crypto'
import { Auth } from '@auth/core'
import { decode as decodeOld, getToken as getTokenOld } from '@auth/core/jwt'
import { createAuth } from '@siteauth/core'
import { encode, getToken } from '@siteauth/core/jwt'
import { createSealer } from '../packages/core/dist/lib/crypto/jwe.js'
import { primitives as web } from '../packages/core/dist/lib/crypto/web.js'
import { measure, table } from './measure.mjs'

const secret = 'a secret of at least thirty-two characters'
const salt = '__Secure-authjs.session-token'
const claims = {
  sub: '8f14e45f-ceea-467f-a9d8-2b1f6f0c9a11',
  name: 'Ann Example',
  email: 'ann.example@example.com',
  picture: 'https://images.example.com/avatars/8f14e45f/ann-example-256.png',
  role: 'editor',
  organisation: 'An organisation with a long name',
  note: 'x'.repeat(60),
}

const token = await encode({ token: claims, secret, salt })
const cookies = [
  `__Host-authjs.csrf-token=${'a'.repeat(64)}%7C${'b'.repeat(64)}`,
  `__Secure-authjs.callback-url=${encodeURIComponent('https://app.example.com/dashboard')}`,
  `${salt}=${token}`,
].join('; ')
const bytes = Buffer.from(cookies, 'latin1')
const tokenBytes = Buffer.from(token, 'latin1')
// A new string each time, as an HTTP parser would give.
const freshCookies = () => bytes.toString('latin1')
const freshToken = () => tokenBytes.toString('latin1')

const old = { secret, trustHost: true, providers: [], basePath: '/auth', logger: silent() }
const auth = createAuth({ secret, trustHost: true, providers: [] }, { env: {} })
const withCallbacks = createAuth(
  {
    secret,
    trustHost: true,
    providers: [],
    callbacks: {
      jwt: ({ token }) => token,
      session: ({ session, token }) => ({ ...session, user: { ...session.user, id: token.sub } }),
    },
  },
  { env: {} },
)
const webSealer = createSealer(web, [secret], salt)
const url = 'https://app.example.com/auth/session'

const opened = limit(freshToken())
console.log(`claims ${JSON.stringify(opened).length} bytes, token ${token.length} characters\n`)

const rows = await measure([
  { name: 'limit: verify, decrypt, parse (synchronous)', run: () => limit(freshToken()) },
  {
    name: '**SiteAuth** getSession',
    run: () =>
      auth.getSession({ headers: { cookie: freshCookies(), host: 'app.example.com' }, url }),
  },
  {
    name: '**SiteAuth** getSession, jwt and session callbacks',
    run: () =>
      withCallbacks.getSession({
        headers: { cookie: freshCookies(), host: 'app.example.com' },
        url,
      }),
  },
  {
    name: '**SiteAuth** getToken',
    run: () =>
      getToken({ req: { headers: { cookie: freshCookies() } }, secureCookie: true, secret }),
  },
  {
    name: '**SiteAuth** open, WebCrypto',
    run: () => webSealer.open(freshToken(), Date.now()),
  },
  {
    name: '**SiteAuth** GET session, Request to JSON',
    run: async () => (await auth.handle(request())).json(),
  },
  { name: '@auth/core decode', run: () => decodeOld({ token: freshToken(), secret, salt }) },
  {
    name: '@auth/core getToken',
    run: () =>
      getTokenOld({ req: { headers: { cookie: freshCookies() } }, secureCookie: true, secret }),
  },
  {
    name: '@auth/core GET session, Request to JSON',
    run: async () => (await Auth(request(), old)).json(),
  },
])
console.log(table(rows))

function request() {
  return new Request(url, { headers: { cookie: freshCookies() } })
}

function silent() {
  return { error() {}, warn() {}, debug() {} }
}

function limit(text) {
  limit.key ??= keyOf()
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

function keyOf() {
  const info = `Auth.js Generated Encryption Key (${salt})`
  const bits = Buffer.from(hkdfSync('sha256', secret, salt, info, 64))
  return {
    mac: createSecretKey(bits.subarray(0, 32)),
    encryption: createSecretKey(bits.subarray(32)),
  }
}
