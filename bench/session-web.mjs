// The same as session-check on runtimes that have only WebCrypto, such as those at the edge. Here it is
// Node that is asked for those files: what WebCrypto costs differs between runtimes, the ratio less so.
import { spawnSync } from 'node:child_process'
import { hkdfSync, timingSafeEqual } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { measure } from './lib/measure.mjs'
import { report, timeColumns } from './lib/report.mjs'

if (!process.execArgv.includes('--conditions=workerd')) {
  const args = ['--conditions=workerd', fileURLToPath(import.meta.url)]
  process.exit(spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1)
}

const { createAuth } = await import('@siteauth/core')
const { encode } = await import('@siteauth/core/jwt')
const { decode: decodeOld } = await import('@auth/core/jwt')
const secret = 'a secret of at least thirty-two characters'
const salt = 'authjs.session-token'
const claims = { sub: '1', name: 'Ann Example', email: 'ann@example.com', note: 'x'.repeat(230) }
const token = await encode({ token: claims, secret, salt })
const fresh = text => Buffer.from(text, 'latin1').toString('latin1')
const request = () => ({ headers: { cookie: fresh(`${salt}=${token}`) } })
const config = { secret, trustHost: true, providers: [] }
const opening = createAuth({ ...config, jwt: { cacheSize: 0 } }, { env: {} })
const remembering = createAuth(config, { env: {} })
const bare = await webLimit()

report('session-web', {
  title: 'Who is signed in, on WebCrypto',
  note: 'Limit: one signature, one decryption and the parsing, with keys that were imported before.',
  rows: await measure([
    { name: 'limit', run: () => bare(fresh(token)) },
    { name: 'SiteAuth, every token opened', ours: true, run: () => opening.getSession(request()) },
    {
      name: 'SiteAuth, token remembered',
      ours: true,
      run: () => remembering.getSession(request()),
    },
    { name: '@auth/core decode', run: () => decodeOld({ token: fresh(token), secret, salt }) },
  ]),
  columns: timeColumns,
})

/** The least that WebCrypto allows: one signature, one decryption, keys imported before. */
async function webLimit() {
  const bits = keyBits()
  const hmac = { name: 'HMAC', hash: 'SHA-512' }
  const mac = await crypto.subtle.importKey('raw', bits.subarray(0, 32), hmac, false, ['sign'])
  const key = await crypto.subtle.importKey('raw', bits.subarray(32), 'AES-CBC', false, ['decrypt'])
  const decoder = new TextDecoder()
  return async text => {
    const [header, , iv64, ciphertext64, tag64] = text.split('.')
    const iv = Buffer.from(iv64, 'base64url')
    const ciphertext = Buffer.from(ciphertext64, 'base64url')
    const bitLength = Buffer.alloc(8)
    bitLength.writeUInt32BE(header.length * 8, 4)
    const signed = Buffer.concat([Buffer.from(header, 'latin1'), iv, ciphertext, bitLength])
    const tag = Buffer.from(await crypto.subtle.sign('HMAC', mac, signed), 0, 32)
    if (!timingSafeEqual(tag, Buffer.from(tag64, 'base64url'))) throw new Error('forged')
    const plaintext = await crypto.subtle.decrypt({ name: 'AES-CBC', iv }, key, ciphertext)
    return JSON.parse(decoder.decode(plaintext))
  }
}

function keyBits() {
  return Buffer.from(
    hkdfSync('sha256', secret, salt, `Auth.js Generated Encryption Key (${salt})`, 64),
  )
}
