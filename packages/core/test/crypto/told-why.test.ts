import { decode } from '@siteauth/core/jwt'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { SECRET } from '../visitor.ts'
import { encodeHeader, forgeCbc, keyFor, kidOf } from './forge.ts'

const SALT = 'authjs.session-token'
const key = keyFor(SECRET, SALT)
const header = { alg: 'dir', enc: 'A256CBC-HS512', kid: kidOf(key) }
const now = Math.floor(Date.now() / 1000)
const claims = { sub: 'ann', iat: now, exp: now + 3600 }

const sealed = (payload: unknown) =>
  forgeCbc(key, header, typeof payload === 'string' ? payload : JSON.stringify(payload))
const [head, , iv, ciphertext, tag] = sealed(claims).split('.')

const MALFORMED = ['JWEInvalid', 'ERR_JWE_INVALID', 'the token is malformed'] as const

/** The names and codes are those that code written for jose may look at. */
const table: readonly [
  what: string,
  token: string,
  name: string,
  code: string | undefined,
  message: string,
][] = [
  ['with an encrypted key', [head, 'AAAA', iv, ciphertext, tag].join('.'), ...MALFORMED],
  ['with one part more', [head, '', 'AAAA', iv, ciphertext, tag].join('.'), ...MALFORMED],
  ['with a letter after its header', `${head}A.${iv}.${ciphertext}.${tag}`, ...MALFORMED],
  ['with a letter for its key', `${head}.A${iv}.${ciphertext}.${tag}`, ...MALFORMED],
  ['without a tag', [head, '', iv, ciphertext].join('.'), ...MALFORMED],
  ['whose claims are no JSON', sealed('{'), ...MALFORMED],
  ['whose claims are a list', sealed([claims]), ...MALFORMED],
  ['whose claims are null', sealed(null), ...MALFORMED],
  ['that expires at no time', sealed({ ...claims, exp: 'tomorrow' }), ...MALFORMED],
  ['that begins at no time', sealed({ ...claims, nbf: null }), ...MALFORMED],
  ['that was issued at no time', sealed({ ...claims, iat: {} }), ...MALFORMED],
  [
    'that has expired',
    sealed({ ...claims, exp: now - 3600 }),
    'JWTExpired',
    'ERR_JWT_EXPIRED',
    'has expired',
  ],
  [
    'that is not valid yet',
    sealed({ ...claims, nbf: now + 3600 }),
    'JWTClaimValidationFailed',
    'ERR_JWT_CLAIM_VALIDATION_FAILED',
    'not valid yet',
  ],
  [
    'that was changed',
    [head, '', iv, ciphertext, 'A'.repeat(43)].join('.'),
    'JWEDecryptionFailed',
    'ERR_JWE_DECRYPTION_FAILED',
    'changed after it was sealed',
  ],
  [
    'for another key',
    forgeCbc(key, { ...header, kid: 'another' }, JSON.stringify(claims)),
    'Error',
    undefined,
    'no matching decryption secret',
  ],
  [
    'that is not encrypted',
    [encodeHeader({ alg: 'none' }), encodeHeader(claims), ''].join('.'),
    'JOSEAlgNotAllowed',
    'ERR_JOSE_ALG_NOT_ALLOWED',
    'an encryption that is not accepted',
  ],
]

describe('decode says why a token is not accepted', () => {
  it.each(table)('%s', async (_, token, name, code, expected) => {
    const failure: unknown = await decode({ token, secret: SECRET, salt: SALT }).catch(e => e)
    expect({ ...(failure as Error) }).toEqual({ name, ...(code && { code }) })
    expect((failure as Error).message).toContain(expected)
  })

  it.each([
    [{ exp: now - 14 }, 'accepted'],
    [{ exp: now - 15 }, 'JWTExpired'],
    [{ nbf: now + 15 }, 'accepted'],
    [{ nbf: now + 16 }, 'JWTClaimValidationFailed'],
  ])('with %j by a clock that may differ by 15 seconds: %s', async (times, expected) => {
    vi.useFakeTimers({ toFake: ['Date'], now: now * 1000 + 999 })
    onTestFinished(() => void vi.useRealTimers())
    const token = sealed({ ...claims, ...times })
    const answer = decode({ token, secret: SECRET, salt: SALT })
    expect(
      await answer.then(
        () => 'accepted',
        error => error.name,
      ),
    ).toBe(expected)
  })

  it('and accepts one whose header has its members in another order', async () => {
    const { alg, enc, kid } = header
    const token = forgeCbc(key, { kid, enc, alg }, JSON.stringify(claims))
    expect(await decode({ token, secret: SECRET, salt: SALT })).toMatchObject({ sub: 'ann' })
  })

  it('and accepts the one that all others were made from', async () => {
    const token = sealed(claims)
    expect(await decode({ token, secret: SECRET, salt: SALT })).toMatchObject({ sub: 'ann' })
  })
})
