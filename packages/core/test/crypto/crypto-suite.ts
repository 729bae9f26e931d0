import { decode as oldDecode, encode as oldEncode } from '@auth/core/jwt'
import fc from 'fast-check'
import { EncryptJWT, jwtDecrypt } from 'jose'
import { describe, expect, it, vi } from 'vitest'
import { toHex } from '../../src/lib/crypto/encoding.ts'
import { createSealer } from '../../src/lib/crypto/jwe.ts'
import { deriveKey } from '../../src/lib/crypto/keys.ts'
import type { Claims, Opened, OpenFailure } from '../../src/lib/crypto/opened-token.ts'
import type { CryptoPrimitives } from '../../src/lib/crypto/primitives.ts'
import { anyText } from '../any-text.ts'
import { forgeCbc, forgeGcm, keyFor, kidOf } from './forge.ts'
import { honestToken, hostileTokens } from './hostile-tokens.ts'
import { HASHES, KEYS, SHORT_KEY, TOKENS } from './vectors.ts'

const COOKIE = 'authjs.session-token'
const SECRET = 'a test secret that is long enough!'
const NOW = Date.UTC(2026, 10, 16, 12)
const SECONDS = NOW / 1000

/** What both implementations of the primitives must do, whatever runtime they are for. */
export function describeCrypto<Key>(side: string, primitives: CryptoPrimitives<Key>): void {
  const sealer = (secrets: readonly string[] = [SECRET], purpose = COOKIE) =>
    createSealer(primitives, secrets, purpose)

  async function open(
    token: string,
    secrets: readonly string[] = [SECRET],
    purpose = COOKIE,
    now = NOW,
  ): Promise<Opened | OpenFailure> {
    return sealer(secrets, purpose).open(token, now)
  }

  async function claimsOf(...args: Parameters<typeof open>): Promise<Claims> {
    const opened = await open(...args)
    if (typeof opened === 'string') throw new Error(`not opened: ${opened}`)
    return opened.claims
  }

  describe(`${side}: keys`, () => {
    it.each(KEYS)('derives the known key for $purpose', async ({ secret, purpose, hex, kid }) => {
      const info = `Auth.js Generated Encryption Key (${purpose})`
      expect(toHex(await primitives.deriveBits(secret, purpose, info, 64))).toBe(hex)
      const key = await deriveKey(primitives, secret, purpose, 'A256CBC-HS512')
      expect(key.kid).toBe(kid)
      expect(key.encryption).toBe('A256CBC-HS512')
    })

    it('derives the known shorter key, named by its own thumbprint', async () => {
      const info = `Auth.js Generated Encryption Key (${COOKIE})`
      expect(toHex(await primitives.deriveBits('secret', COOKIE, info, 32))).toBe(SHORT_KEY)
      const key = await deriveKey(primitives, 'secret', COOKIE, 'A256GCM')
      expect(key.kid).toBe(kidOf(Buffer.from(SHORT_KEY, 'hex')))
      expect(key.kid).toHaveLength(43)
    })

    it('derives keys from secrets and purposes in any script', async () => {
      const key = await deriveKey(primitives, 'пароль 🔑', 'ключ-🍪', 'A256CBC-HS512')
      expect(key.kid).toBe(kidOf(keyFor('пароль 🔑', 'ключ-🍪')))
    })

    it.each(HASHES)('hashes a token with $secrets to the known value', async row => {
      const text = row.token + row.secrets.join(',')
      expect(toHex(await primitives.digest('SHA-256', text))).toBe(row.hex)
    })

    it('derives each key once, however often and however parallel it is used', async () => {
      const deriveBits = vi.fn(primitives.deriveBits)
      const importKey = vi.fn(primitives.importKey)
      const counted = createSealer({ ...primitives, deriveBits, importKey }, ['new', 'old'], COOKIE)
      const tokens = await Promise.all(
        Array.from({ length: 20 }, (_, sub) => counted.seal({ sub }, 60, NOW)),
      )
      for (const token of [...tokens, TOKENS.old, TOKENS.rotated, TOKENS.plain]) {
        await counted.open(token, NOW)
      }
      expect(deriveBits).toHaveBeenCalledTimes(2)
      expect(importKey).toHaveBeenCalledTimes(2)
    })

    it('derives nothing before the first use', async () => {
      const deriveBits = vi.fn(primitives.deriveBits)
      createSealer({ ...primitives, deriveBits }, ['new', 'old'], COOKIE)
      expect(deriveBits).not.toHaveBeenCalled()
    })

    it.each([[[]], [['']], [['good', '']]])('makes no sealer from the secrets %j', secrets => {
      expect(() => sealer(secrets)).toThrow(TypeError)
    })
  })

  describe(`${side}: tokens of the library that we succeed`, () => {
    it('opens a session token', async () => {
      expect(await claimsOf(TOKENS.plain, ['secret'])).toEqual({
        sub: 'user-1',
        name: 'Ann',
        email: 'ann@example.com',
        picture: null,
        iat: 1794701152,
        exp: 4002221152,
        jti: '98a7376a-abf9-4691-b7dd-78af4b90f1fa',
      })
    })

    it('opens a session token of HTTPS', async () => {
      const secret = 'a-much-longer-secret-of-32-characters!!'
      expect(await claimsOf(TOKENS.secure, [secret], `__Secure-${COOKIE}`)).toMatchObject({
        sub: 'user-1',
        name: 'Ann',
        email: 'ann@example.com',
        jti: 'c2279d2a-602d-40e2-9ece-e27a2a42549e',
      })
      expect(await open(TOKENS.secure, [secret], COOKIE)).toBe('unknown key')
    })

    it('opens a token of A256GCM without a key id with the first secret, and no other', async () => {
      expect(await claimsOf(TOKENS.gcmWithoutKid, ['secret', 'x'])).toMatchObject({ sub: 'gcm' })
      expect(await open(TOKENS.gcmWithoutKid, ['x', 'secret'])).toBe('forged')
    })

    it('opens a token with the secret that it names, wherever that stands', async () => {
      expect(await claimsOf(TOKENS.rotated, ['new'])).toMatchObject({ sub: 'r' })
      expect(await claimsOf(TOKENS.rotated, ['x', 'new'])).toMatchObject({ sub: 'r' })
      expect(await open(TOKENS.rotated, ['old'])).toBe('unknown key')
      expect(await claimsOf(TOKENS.old, ['new', 'old'])).toMatchObject({ sub: 'o' })
      expect(await open(TOKENS.old, ['new'])).toBe('unknown key')
    })

    it('opens what it sent to a provider, and the cookie that went with it', async () => {
      expect(await claimsOf(TOKENS.state, ['secret'], 'encodedState')).toMatchObject({
        origin: 'https://preview.test/auth/callback/oa',
        random: 'r',
      })
      const pkce = await claimsOf(TOKENS.pkce, ['secret'], 'authjs.pkce.code_verifier')
      expect(pkce).toMatchObject({ value: 'VERIFIER', provider: 'oa' })
    })
  })

  describe(`${side}: sealing`, () => {
    it('writes exactly the header that the old library writes, and no encrypted key', async () => {
      const [row] = KEYS
      const token = await sealer([row.secret], row.purpose).seal({}, 60, NOW)
      const [header = '', encryptedKey, iv = '', ciphertext = '', tag = '', ...more] =
        token.split('.')
      expect(Buffer.from(header, 'base64url').toString()).toBe(
        `{"alg":"dir","enc":"A256CBC-HS512","kid":"${row.kid}"}`,
      )
      expect(encryptedKey).toBe('')
      expect(Buffer.from(iv, 'base64url')).toHaveLength(16)
      expect(Buffer.from(ciphertext, 'base64url').length % 16).toBe(0)
      expect(Buffer.from(tag, 'base64url')).toHaveLength(32)
      expect(more).toEqual([])
    })

    it('gives every token its own times and id, and keeps everything else as it stands', async () => {
      const given = { sub: 'u', exp: 1, iat: 2, jti: 'mine', nbf: SECONDS - 5, none: undefined }
      const claims = await claimsOf(await sealer().seal(given, 60, NOW + 999))
      expect(claims).toEqual({
        sub: 'u',
        exp: SECONDS + 60,
        iat: SECONDS,
        jti: expect.stringMatching(
          /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
        ),
        nbf: SECONDS - 5,
      })
    })

    it('never writes the same token twice', async () => {
      const one = sealer()
      const tokens = await Promise.all(
        Array.from({ length: 50 }, () => one.seal({ sub: 'u' }, 60, NOW)),
      )
      expect(new Set(tokens.map(token => token.split('.')[2])).size).toBe(50)
      const claims = await Promise.all(tokens.map(token => claimsOf(token)))
      expect(new Set(claims.map(({ jti }) => jti)).size).toBe(50)
    })

    it('seals with the first secret only', async () => {
      const token = await sealer(['new', 'old']).seal({ sub: 'u' }, 60, NOW)
      expect(await claimsOf(token, ['new'])).toMatchObject({ sub: 'u' })
      expect(await open(token, ['old'])).toBe('unknown key')
    })

    it('opens exactly what was sealed, whatever it is', async () => {
      const one = sealer()
      const claims = fc.dictionary(anyText(), fc.jsonValue())
      await fc.assert(
        fc.asyncProperty(claims, async given => {
          const opened = await one.open(await one.seal(given, 60, NOW), NOW)
          if (typeof opened === 'string') throw new Error(opened)
          const { jti } = opened.claims
          const expected = { ...given, iat: SECONDS, exp: SECONDS + 60, jti }
          expect(opened.text).toBe(JSON.stringify(expected))
          expect(JSON.stringify(opened.claims)).toBe(opened.text)
        }),
        { numRuns: 100 },
      )
    })

    it('leaves the claims that it is given as they are', async () => {
      const given = Object.freeze({ sub: 'u', iat: 1 })
      await sealer().seal(given, 60, NOW)
      expect(given).toEqual({ sub: 'u', iat: 1 })
    })
  })

  describe(`${side}: the same tokens elsewhere`, () => {
    const payloads: readonly (readonly [what: string, claims: Claims])[] = [
      ['a usual session', { sub: 'u', name: 'Ann', email: 'ann@example.com', picture: null }],
      ['an empty one', {}],
      ['one in many scripts', { name: 'Ærøskøbing 東京 🏳️‍🌈 \u2028\u0000"\\', Ключ: ['ä'] }],
      [
        'one as large as several cookies',
        { roles: Array.from({ length: 2000 }, (_, n) => `role-${n}`) },
      ],
      ['one with a key called __proto__', JSON.parse('{"__proto__":{"a":1},"b":2}')],
    ]
    const secrets = ['the newer secret', SECRET]

    it.each(payloads)('jose opens %s that we sealed', async (_what, claims) => {
      const token = await sealer(secrets).seal(claims, 60, NOW)
      const { payload, protectedHeader } = await jwtDecrypt(
        token,
        keyFor(secrets[0] ?? '', COOKIE),
        {
          currentDate: new Date(NOW),
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256CBC-HS512'],
        },
      )
      expect(JSON.stringify(payload)).toBe((await opened(token)).text)
      expect(protectedHeader).toEqual({
        alg: 'dir',
        enc: 'A256CBC-HS512',
        kid: kidOf(keyFor(secrets[0] ?? '', COOKIE)),
      })
    })

    it.each(payloads)('the old library opens %s that we sealed', async (_what, claims) => {
      const token = await sealer(secrets).seal(claims, 60, Date.now())
      for (const secret of [secrets[0] ?? '', secrets, ['another', ...secrets]]) {
        const payload = await oldDecode({ token, secret, salt: COOKIE })
        expect(JSON.stringify(payload)).toBe((await opened(token, Date.now())).text)
      }
    })

    it.each(payloads)('we open %s that jose sealed, in both ways', async (_what, claims) => {
      for (const enc of ['A256CBC-HS512', 'A256GCM'] as const) {
        const key = keyFor(SECRET, COOKIE, enc === 'A256GCM' ? 32 : 64)
        for (const header of [
          { alg: 'dir', enc, kid: kidOf(key) },
          { alg: 'dir', enc },
        ]) {
          const token = await new EncryptJWT(claims)
            .setProtectedHeader(header)
            .setExpirationTime(SECONDS + 60)
            .encrypt(key)
          const list = 'kid' in header ? secrets : [SECRET, 'another']
          expect(JSON.stringify(await claimsOf(token, list))).toBe(
            JSON.stringify({ ...claims, exp: SECONDS + 60 }),
          )
        }
      }
    })

    it.each(payloads)('we open %s that the old library sealed', async (_what, claims) => {
      const token = await oldEncode({ token: claims, secret: [SECRET, 'x'], salt: COOKIE })
      const ours = await claimsOf(token, secrets, COOKIE, Date.now())
      const theirs = await oldDecode({ token, secret: SECRET, salt: COOKIE })
      expect(JSON.stringify(ours)).toBe(JSON.stringify(theirs))
    })

    it('opens a token without an end, as the old library does', async () => {
      const key = keyFor(SECRET, COOKIE)
      const token = forgeCbc(
        key,
        { alg: 'dir', enc: 'A256CBC-HS512', kid: kidOf(key) },
        '{"sub":"u"}',
      )
      expect(await claimsOf(token)).toEqual({ sub: 'u' })
    })

    it('opens a token whose header repeats a claim, if it repeats it truly', async () => {
      const key = keyFor(SECRET, COOKIE)
      const header = { alg: 'dir', enc: 'A256CBC-HS512', kid: kidOf(key), sub: 'u' }
      expect(await claimsOf(forgeCbc(key, header, '{"sub":"u"}'))).toEqual({ sub: 'u' })
      expect(await open(forgeCbc(key, header, '{"sub":"v"}'))).toBe('malformed')
    })

    async function opened(token: string, now = NOW): Promise<Opened> {
      const result = await open(token, secrets, COOKIE, now)
      if (typeof result === 'string') throw new Error(result)
      return result
    }
  })

  describe(`${side}: times`, () => {
    const key = keyFor(SECRET, COOKIE)
    const header = { alg: 'dir', enc: 'A256CBC-HS512', kid: kidOf(key) }
    const withClaims = (claims: object) => forgeCbc(key, header, JSON.stringify(claims))
    const at = (seconds: number) => (SECONDS + seconds) * 1000

    it('opens a token until 15 seconds after its end, and no millisecond longer', async () => {
      const token = await sealer().seal({ sub: 'u' }, 60, NOW)
      expect(await claimsOf(token, [SECRET], COOKIE, at(75) - 1)).toMatchObject({ sub: 'u' })
      expect(await open(token, [SECRET], COOKIE, at(75))).toBe('expired')
    })

    it('opens a token from 15 seconds before its beginning, and no millisecond sooner', async () => {
      const token = withClaims({ sub: 'u', nbf: SECONDS + 100 })
      expect(await open(token, [SECRET], COOKIE, at(85) - 1)).toBe('premature')
      expect(await claimsOf(token, [SECRET], COOKIE, at(85))).toMatchObject({ sub: 'u' })
    })

    it('does not mind when a token was issued, even if that is yet to come', async () => {
      expect(await claimsOf(withClaims({ iat: SECONDS + 9999 }))).toEqual({ iat: SECONDS + 9999 })
    })

    it('says nothing of the times of a token that was changed', async () => {
      const token = await sealer().seal({ sub: 'u' }, 60, NOW)
      const changed = `${token.slice(0, -10)}AAAAAAAAAA`.replace(/.$/, 'A')
      expect(await open(changed, [SECRET], COOKIE, at(9999))).toBe('forged')
    })
  })

  describe(`${side}: what must not open`, () => {
    const one = sealer()
    const hostile = hostileTokens(SECRET, COOKIE, NOW)

    it('opens the honest token that the hostile ones are made from', async () => {
      expect(await one.open(honestToken(SECRET, COOKIE, NOW), NOW)).toMatchObject({
        claims: { sub: 'ann' },
      })
    })

    it.each(hostile)('refuses: %s', async (_what, token) => {
      expect(await one.open(token, NOW)).toBeTypeOf('string')
    })

    it('refuses everything quickly', async () => {
      const started = performance.now()
      for (const [, token] of hostile) await one.open(token, NOW)
      expect(performance.now() - started).toBeLessThan(2000)
    })

    it('says what is wrong', async () => {
      const reasons = new Map<string, unknown>()
      for (const [what, token] of hostile) reasons.set(what, await one.open(token, NOW))
      expect(Object.fromEntries(reasons)).toMatchObject({
        'alg none in a sealed token': 'unsupported',
        zip: 'unsupported',
        'crit unknown': 'unsupported',
        'kid unknown': 'unknown key',
        'kid as an array': 'malformed',
        "a stranger's key under our kid": 'forged',
        'six parts': 'malformed',
        'payload not UTF-8': 'forged',
        'payload "[]"': 'malformed',
        'exp long past': 'expired',
        'nbf far ahead': 'premature',
        'expired and changed': 'forged',
      })
    })

    // The ciphertext of each ends in a different number of unused bits.
    it.each([0, 16, 32])('refuses a token with any one bit flipped (%i bytes more)', async more => {
      const token = await one.seal({ sub: 'u', pad: 'x'.repeat(more) }, 60, NOW)
      const accepted: string[] = []
      for (const changed of flippedBits(token)) {
        if (typeof (await one.open(changed, NOW)) !== 'string') accepted.push(changed)
      }
      expect(accepted).toEqual([])
    })

    it('refuses any text at all', async () => {
      const text = fc.oneof(fc.string(), anyText(), fc.base64String())
      const parts = fc.array(fc.oneof(text, fc.constant('')), { minLength: 1, maxLength: 7 })
      await fc.assert(
        fc.asyncProperty(parts, async all => {
          expect(await one.open(all.join('.'), NOW)).toBeTypeOf('string')
        }),
        { numRuns: 200 },
      )
    })

    it('refuses a token of A256GCM with any one bit of its tag flipped', async () => {
      const key = keyFor(SECRET, COOKIE, 32)
      const token = forgeGcm(key, { alg: 'dir', enc: 'A256GCM', kid: kidOf(key) }, '{"sub":"u"}')
      expect(await claimsOf(token)).toEqual({ sub: 'u' })
      const tagStart = token.lastIndexOf('.') + 1
      for (const changed of flippedBits(token, tagStart)) {
        expect(await one.open(changed, NOW)).toBeTypeOf('string')
      }
    })
  })

  describe(`${side}: purposes`, () => {
    const names = [
      'session-token',
      'callback-url',
      'csrf-token',
      'pkce.code_verifier',
      'state',
      'nonce',
      'challenge',
    ].flatMap(name => [`authjs.${name}`, `__Secure-authjs.${name}`, `__Host-authjs.${name}`])
    const purposes = [
      ...names,
      'encodedState',
      'encodedWebauthnChallenge',
      'authjs.session-toke',
      '',
    ]

    it('never opens for one purpose what was sealed for another', async () => {
      const sealers = new Map(purposes.map(purpose => [purpose, sealer([SECRET], purpose)]))
      for (const [from, sealing] of sealers) {
        const token = await sealing.seal({ sub: 'u' }, 60, NOW)
        for (const [to, opening] of sealers) {
          const opened = await opening.open(token, NOW)
          if (from === to) expect(opened).toMatchObject({ claims: { sub: 'u' } })
          else expect(opened).toBe('unknown key')
        }
      }
    })

    it('does not believe a token that claims to be for another purpose', async () => {
      const state = await sealer([SECRET], 'authjs.state').seal({ sub: 'u' }, 60, NOW)
      const [, ...sealed] = state.split('.')
      const header = { alg: 'dir', enc: 'A256CBC-HS512', kid: kidOf(keyFor(SECRET, COOKIE)) }
      const relabelled = [Buffer.from(JSON.stringify(header)).toString('base64url'), ...sealed]
      expect(await open(relabelled.join('.'))).toBe('forged')
      const unlabelled = [
        Buffer.from('{"alg":"dir","enc":"A256CBC-HS512"}').toString('base64url'),
        ...sealed,
      ]
      expect(await open(unlabelled.join('.'))).toBe('forged')
    })
  })
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** A token with one bit changed: of a character's code, and of the six bits that it stands for. */
function* flippedBits(token: string, from: number = 0): Generator<string> {
  for (let at = from; at < token.length; at++) {
    const replace = (character: string) => token.slice(0, at) + character + token.slice(at + 1)
    for (let bit = 0; bit < 16; bit++) {
      yield replace(String.fromCharCode(token.charCodeAt(at) ^ (1 << bit)))
    }
    const value = ALPHABET.indexOf(token[at] ?? '')
    for (let bit = 0; value >= 0 && bit < 6; bit++)
      yield replace(ALPHABET[value ^ (1 << bit)] ?? '')
  }
}
