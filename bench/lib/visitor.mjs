// Somebody who is signed in, as their browser tells it, and the least that it takes to know who it is.
import nodeCrypto, {
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  timingSafeEqual,
} from 'node:crypto'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { encode } from '@siteauth/core/jwt'

export const secret = 'a secret of at least thirty-two characters'
export const url = 'https://app.example.com/auth/session'
const salt = '__Secure-authjs.session-token'
/** How much of a token goes into one cookie. */
const CHUNK = 3936
const socket = new Socket()

/** Somebody whose claims have a size. What comes from a network is a new string each time. */
export async function visitorWith(size) {
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
    ...sessionCookies(token),
  ].join('; ')
  const headers = () => ({ cookie: fresh(cookies), host: 'app.example.com' })
  return {
    salt,
    claims: JSON.parse(text),
    size: text.length,
    token: () => fresh(token),
    cookie: () => fresh(cookies),
    request: () => ({ headers: headers(), url }),
    nodeRequest: () => nodeRequest(headers()),
  }
}

/** Browsers keep cookies of up to 4 kB, so a longer token comes in several. */
function sessionCookies(token) {
  if (token.length <= CHUNK) return [`${salt}=${token}`]
  const count = Math.ceil(token.length / CHUNK)
  return Array.from(
    { length: count },
    (_, index) => `${salt}.${index}=${token.slice(index * CHUNK, (index + 1) * CHUNK)}`,
  )
}

async function sealTo(claims, size) {
  const rest = size - JSON.stringify(limit(await encode({ token: claims, secret, salt }))).length
  const note = 'x'.repeat(Math.max(0, rest - '"note":"",'.length))
  return encode({ token: note ? { ...claims, note } : claims, secret, salt })
}

export function fresh(text) {
  return Buffer.from(text, 'latin1').toString('latin1')
}

/** A request as Express hands it on, without a server. */
export function nodeRequest(headers) {
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

/** The limit: a token verified, decrypted and parsed with Node's own functions and the keys at hand. */
export function limit(text) {
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

/** The same without an `Hmac` and a `Decipher` for each token, which is how we do it. */
export function keptLimit(text) {
  keptLimit.key ??= keptObjects()
  const { inner, outer, decipher } = keptLimit.key
  const [header, , iv64, ciphertext64, tag64] = text.split('.')
  const iv = Buffer.from(iv64, 'base64url')
  const ciphertext = Buffer.from(ciphertext64, 'base64url')
  const bitLength = Buffer.alloc(8)
  bitLength.writeUInt32BE(header.length * 8, 4)
  const signed = Buffer.concat([inner, Buffer.from(header, 'latin1'), iv, ciphertext, bitLength])
  outer.write(nodeCrypto.hash('sha512', signed, 'binary'), 128, 'latin1')
  const tag = Buffer.from(nodeCrypto.hash('sha512', outer, 'binary'), 'latin1').subarray(0, 32)
  if (!timingSafeEqual(tag, Buffer.from(tag64, 'base64url'))) throw new Error('forged')
  const plaintext = decipher.update(Buffer.concat([iv, ciphertext]))
  return JSON.parse(plaintext.toString('utf8', 16, plaintext.length - plaintext.at(-1)))
}

export function keyBits() {
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

function keptObjects() {
  const bits = keyBits()
  const padded = mask =>
    Buffer.from(Array.from({ length: 128 }, (_, at) => (at < 32 ? bits[at] : 0) ^ mask))
  const iv = Buffer.alloc(16)
  return {
    inner: padded(0x36),
    outer: Buffer.concat([padded(0x5c), Buffer.alloc(64)]),
    decipher: createDecipheriv('aes-256-cbc', bits.subarray(32), iv).setAutoPadding(false),
  }
}
