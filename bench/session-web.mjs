// The same as session-check on runtimes that have only WebCrypto, such as those at the edge. Here it is
// Node that is asked for those files: what WebCrypto costs differs between runtimes, the ratio less so.
import { fork } from 'node:child_process'
import { timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { decode as decodeOld } from '@auth/core/jwt'
import { createAuth } from '@siteauth/core'
import { compareSizes, SIZE_COUNT } from './lib/claim-sizes.mjs'
import { measure } from './lib/measure.mjs'
import { expectParts } from './lib/progress.mjs'
import { report, timeBars, timeColumns } from './lib/report.mjs'
import { keyBits, secret, visitorWith } from './lib/visitor.mjs'

if (!process.execArgv.includes('--conditions=workerd')) {
  const child = fork(fileURLToPath(import.meta.url), { execArgv: ['--conditions=workerd'] })
  child.on('message', message => process.send?.(message))
  const [status] = await once(child, 'exit')
  process.exit(status ?? 1)
}

const config = { secret, trustHost: true, providers: [] }
const opening = createAuth({ ...config, jwt: { cacheBytes: 0 } }, { env: {} })
const remembering = createAuth(config, { env: {} })
const limit = await webLimit()

expectParts(1 + SIZE_COUNT)
const usual = await visitorWith(410)
report('session-web', {
  title: 'Who is signed in, on WebCrypto',
  note: 'Limit: one signature, one decryption and the parsing, with keys that were imported before.',
  rows: await measure([
    { name: 'limit', run: () => limit(usual.token()) },
    ...contendersFor(usual),
  ]),
  columns: timeColumns,
  bars: timeBars,
})
await compareSizes('session-web-claims', {
  title: 'Who is signed in, on WebCrypto, by the size of the claims',
  limit,
  contendersFor,
  rounds: 15,
})

function contendersFor(visitor) {
  const { salt } = visitor
  return [
    {
      name: 'SiteAuth, every token opened',
      ours: true,
      run: () => opening.getSession(visitor.request()),
    },
    {
      name: 'SiteAuth, token remembered',
      ours: true,
      run: () => remembering.getSession(visitor.request()),
    },
    {
      name: '@auth/core decode',
      run: () => decodeOld({ token: visitor.token(), secret, salt }),
    },
  ]
}

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
