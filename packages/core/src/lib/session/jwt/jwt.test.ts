import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { decode as oldDecode, encode as oldEncode } from '@auth/core/jwt'
import { describe, expect, it, vi } from 'vitest'
import { TOKENS } from '../../../../test/crypto/vectors.ts'
import { AuthError, MissingSecretError } from '../../base/errors.ts'
import { decode, encode, type GetTokenParams, getToken } from './jwt.ts'

const salt = 'authjs.session-token'
const secret = 'a test secret that is long enough!'
const DAYS = 24 * 60 * 60

describe('encode', () => {
  it('makes a token that lasts 30 days unless told otherwise', async () => {
    const seconds = Math.floor(Date.now() / 1000)
    const usual = await decode({ token: await encode({ secret, salt }), secret, salt })
    const brief = await decode({ token: await encode({ secret, salt, maxAge: 60 }), secret, salt })
    expect((usual?.exp ?? 0) - (usual?.iat ?? 0)).toBe(30 * DAYS)
    expect((brief?.exp ?? 0) - (brief?.iat ?? 0)).toBe(60)
    expect((usual?.iat ?? 0) - seconds).toBeLessThan(5)
  })

  it('replaces times and id, and keeps the other claims', async () => {
    const token = { sub: 'u', iat: 1, exp: 2, jti: 'mine', nbf: 3 }
    const claims = await decode({ token: await encode({ token, secret, salt }), secret, salt })
    expect(claims).toMatchObject({ sub: 'u', nbf: 3 })
    expect(claims?.iat).not.toBe(1)
    expect(claims?.exp).not.toBe(2)
    expect(claims?.jti).not.toBe('mine')
  })

  it('seals with the first of several secrets only', async () => {
    const token = await encode({ token: { sub: 'u' }, secret: ['new', 'old'], salt })
    expect(await decode({ token, secret: 'new', salt })).toMatchObject({ sub: 'u' })
    await expect(decode({ token, secret: 'old', salt })).rejects.toThrow('no matching')
  })

  it.each([[''], [[]], [['']], [['good', '']]])(
    'throws a TypeError for the secret %j',
    async none => {
      const encoding = encode({ token: {}, secret: none, salt })
      await expect(encoding).rejects.toThrow(TypeError)
      await expect(encoding).rejects.toThrow('at least one secret is required')
    },
  )

  it('makes tokens that the old library opens', async () => {
    const token = await encode({ token: { sub: 'u' }, secret: [secret], salt })
    expect(await oldDecode({ token, secret, salt })).toMatchObject({ sub: 'u' })
  })
})

describe('decode', () => {
  it.each([undefined, ''])('answers null for no token (%j)', async token => {
    expect(await decode({ ...(token !== undefined && { token }), secret, salt })).toBeNull()
  })

  it('opens what either of two secrets has sealed', async () => {
    for (const each of ['new', 'old']) {
      const token = await encode({ token: { sub: each }, secret: each, salt })
      expect(await decode({ token, secret: ['new', 'old'], salt })).toMatchObject({ sub: each })
    }
  })

  it('throws for a token that was sealed with another secret, or for another cookie', async () => {
    const token = await encode({ token: { sub: 'u' }, secret, salt })
    await expect(decode({ token, secret: 'another', salt })).rejects.toThrow(
      'no matching decryption secret',
    )
    await expect(decode({ token, secret, salt: `__Secure-${salt}` })).rejects.toThrow(
      'no matching decryption secret',
    )
  })

  it('throws for a token that was changed, or is none', async () => {
    const token = await encode({ token: { sub: 'u' }, secret, salt })
    const changed = token.replace(/\.[^.]{10}/, '.AAAAAAAAAA')
    await expect(decode({ token: changed, secret, salt })).rejects.toThrow()
    await expect(decode({ token: 'garbage', secret, salt })).rejects.toThrow('malformed')
  })

  it('never tells the token or the secret in what it throws', async () => {
    const token = await encode({ token: { sub: 'u' }, secret, salt })
    const failure: unknown = await decode({ token, secret: 'another', salt }).catch(error => error)
    expect(String(failure)).not.toContain(token)
    expect(String(failure)).not.toContain('another secret of')
    expect(String(failure)).not.toContain(secret)
  })

  it('opens tokens of the old library', async () => {
    const token = await oldEncode({ token: { sub: 'u', name: 'Ännchen 🌸' }, secret, salt })
    expect(await decode({ token, secret: ['x', secret], salt })).toEqual(
      await oldDecode({ token, secret, salt }),
    )
    expect(await decode({ token: TOKENS.plain, secret: 'secret', salt })).toMatchObject({
      sub: 'user-1',
    })
  })
})

describe('keys', () => {
  it('are derived once for a list of secrets and a cookie, and again for others', async () => {
    const hkdfSync = vi.spyOn(crypto, 'hkdfSync')
    syncBuiltinESMExports() // so that named imports see the spy
    try {
      const derivations = async (use: () => Promise<unknown>) => {
        hkdfSync.mockClear()
        await use()
        return hkdfSync.mock.calls.length
      }
      const [one, two] = [['counted 1', 'counted 2'], ['counted 2']]
      expect(await derivations(() => encode({ secret: one, salt }))).toBe(2)
      expect(await derivations(() => encode({ secret: one, salt }))).toBe(0)
      expect(await derivations(() => encode({ secret: two, salt }))).toBe(1)
      expect(await derivations(() => encode({ secret: 'counted 2', salt }))).toBe(0)
      expect(await derivations(() => encode({ secret: one, salt: 'another' }))).toBe(2)
      const token = await encode({ secret: one, salt })
      const read = () =>
        Promise.all(Array.from({ length: 9 }, () => decode({ token, secret: one, salt })))
      expect(await derivations(read)).toBe(0)
    } finally {
      hkdfSync.mockRestore()
      syncBuiltinESMExports()
    }
  })

  it('are kept for the 64 lists of secrets that came last', async () => {
    const hkdfSync = vi.spyOn(crypto, 'hkdfSync')
    syncBuiltinESMExports()
    try {
      const use = (name: string) => encode({ secret: `kept ${name}`, salt })
      await use('first')
      for (let n = 1; n < 64; n++) await use(String(n))
      hkdfSync.mockClear()
      await use('first')
      expect(hkdfSync).not.toHaveBeenCalled()
      await use('one more')
      hkdfSync.mockClear()
      await use('first')
      expect(hkdfSync).toHaveBeenCalledTimes(1)
    } finally {
      hkdfSync.mockRestore()
      syncBuiltinESMExports()
    }
  })

  it('of one application are never used for another, however many there are', async () => {
    const secrets = Array.from({ length: 150 }, (_, n) => `the secret of application ${n}`)
    const tokens = await Promise.all(
      secrets.map((each, n) => encode({ token: { n }, secret: each, salt })),
    )
    for (const [n, each] of secrets.entries()) {
      const token = tokens[n] ?? ''
      expect(await decode({ token, secret: each, salt })).toMatchObject({ n })
      const next = secrets[(n + 1) % secrets.length] ?? ''
      await expect(decode({ token, secret: next, salt })).rejects.toThrow('no matching')
    }
  })

  it('are told apart where secrets and cookies read the same when joined', async () => {
    const token = await encode({ token: {}, secret: ['b'], salt: 'a' })
    await expect(decode({ token, secret: ['a'], salt: 'b' })).rejects.toThrow('no matching')
    await expect(decode({ token, secret: ['a","b'], salt: '' })).rejects.toThrow('no matching')
  })
})

describe('getToken', () => {
  const sealed = encode({ token: { sub: 'u' }, secret, salt })
  const withCookie = async (name = salt) => ({ headers: { cookie: `${name}=${await sealed}` } })
  const withBearer = (value: string) => ({ headers: { authorization: `Bearer ${value}` } })

  it('throws without a request', async () => {
    const nothing = { secret } as unknown as GetTokenParams // what plain JavaScript can pass
    await expect(getToken(nothing)).rejects.toThrow('`req`')
  })

  it('reads the cookie of a Request, of Headers, and of a plain object', async () => {
    const cookie = `a=b; ${salt}=${await sealed}; c=d`
    const requests: readonly GetTokenParams['req'][] = [
      new Request('https://app.example.com', { headers: { cookie } }),
      { headers: new Headers({ cookie }) },
      { headers: { cookie } },
      { headers: { Cookie: cookie } },
      { headers: { Accept: '*/*', COOKIE: cookie } },
      { headers: { cookie: cookie.split('; ') } },
    ]
    for (const req of requests) expect(await getToken({ req, secret })).toMatchObject({ sub: 'u' })
  })

  it('reads the Headers of another realm, as edge runtimes have them', async () => {
    const cookie = `${salt}=${await sealed}`
    const headers = { get: (name: string) => (name === 'cookie' ? cookie : null) }
    const req = { headers } as unknown as GetTokenParams['req'] // not an instance of our Headers
    expect(await getToken({ req, secret })).toMatchObject({ sub: 'u' })
  })

  it('puts the chunks of a large cookie together', async () => {
    const token = await encode({ token: { big: 'x'.repeat(9000) }, secret, salt })
    const chunks = [token.slice(0, 3936), token.slice(3936, 7872), token.slice(7872)]
    const cookie = chunks
      .map((chunk, index) => `${salt}.${index}=${chunk}`)
      .reverse()
      .join('; ')
    const claims = await getToken({ req: { headers: { cookie } }, secret })
    expect(claims).toMatchObject({ big: 'x'.repeat(9000) })
  })

  it('looks for the name of the cookie that is asked for', async () => {
    const secure = `__Secure-${salt}`
    const token = await encode({ token: { sub: 'https' }, secret, salt: secure })
    const req = { headers: { cookie: `${secure}=${token}` } }
    expect(await getToken({ req, secret })).toBeNull()
    expect(await getToken({ req, secret, secureCookie: true })).toMatchObject({ sub: 'https' })
    expect(await getToken({ req, secret, cookieName: secure })).toMatchObject({ sub: 'https' })
  })

  it('derives the key for the name of the cookie, or for the salt that is given', async () => {
    const req = await withCookie('mine')
    expect(await getToken({ req, secret, cookieName: 'mine' })).toBeNull()
    expect(await getToken({ req, secret, cookieName: 'mine', salt })).toMatchObject({ sub: 'u' })
  })

  it('prefers the cookie to the header', async () => {
    const other = await encode({ token: { sub: 'bearer' }, secret, salt })
    const { cookie } = (await withCookie()).headers
    const req = { headers: { cookie, authorization: `Bearer ${other}` } }
    expect(await getToken({ req, secret })).toMatchObject({ sub: 'u' })
    const emptied = { headers: { cookie: `${salt}=`, authorization: `Bearer ${other}` } }
    expect(await getToken({ req: emptied, secret })).toMatchObject({ sub: 'bearer' })
  })

  it('reads a header that is percent-encoded', async () => {
    const encoded = [...(await sealed)]
      .map(character => `%${character.charCodeAt(0).toString(16)}`)
      .join('')
    expect(await getToken({ req: withBearer(encoded), secret })).toMatchObject({ sub: 'u' })
  })

  it.each(['Bearer', 'bearer', 'BEARER'])('takes the scheme %s in any case', async scheme => {
    const req = { headers: { authorization: `${scheme}  ${await sealed} ` } }
    expect(await getToken({ req, secret })).toMatchObject({ sub: 'u' })
  })

  it('answers the token itself if asked to, without a look at it', async () => {
    const token = await sealed
    expect(await getToken({ req: await withCookie(), raw: true })).toBe(token)
    expect(await getToken({ req: withBearer(token), raw: true })).toBe(token)
    expect(await getToken({ req: withBearer('anything'), raw: true })).toBe('anything')
    expect(await getToken({ req: { headers: {} }, raw: true })).toBeNull()
  })

  it.each(['%', '%A', '%ZZ', '%E0%A4%A'])('answers null for the broken header %s', async value => {
    expect(await getToken({ req: withBearer(value), secret })).toBeNull()
    expect(await getToken({ req: withBearer(value), raw: true })).toBeNull()
  })

  it.each([
    ['an empty header', ''],
    ['a scheme alone', 'Bearer'],
    ['a scheme and a space', 'Bearer '],
    ['another scheme', 'Basic dTpw'],
    ['a scheme that only starts like it', 'BearerX y'],
    ['two words', 'Bearer a b'],
    ['1 MB', `Bearer ${'x'.repeat(1_000_000)}`],
    ['1 MB of blanks', `Bearer ${' '.repeat(1_000_000)}x y`],
    ['a NUL', 'Bearer %00'],
    ['four parts', 'Bearer a.b.c.d'],
    ['six parts', 'Bearer a.b.c.d.e.f'],
    ['what is no base64url', 'Bearer !!!..!!.!!.!!'],
  ])('answers null for %s', async (_what, authorization) => {
    expect(await getToken({ req: { headers: { authorization } }, secret })).toBeNull()
  })

  it('answers null for a token with something after it', async () => {
    for (const more of [' b', ' b ', ',b', '\tb']) {
      expect(await getToken({ req: withBearer((await sealed) + more), secret })).toBeNull()
    }
  })

  it('answers null for two headers, and for a token of another purpose', async () => {
    const token = await sealed
    const headers = new Headers({ authorization: `Bearer ${token}` })
    headers.append('authorization', `Bearer ${token}`)
    expect(await getToken({ req: { headers }, secret })).toBeNull()
    const state = await encode({ token: { sub: 'u' }, secret, salt: 'authjs.state' })
    expect(await getToken({ req: withBearer(state), secret })).toBeNull()
  })

  it('answers null for nothing before it looks at the secret, and asks for one after that', async () => {
    expect(await getToken({ req: { headers: {} } })).toBeNull()
    for (const none of [undefined, '', []]) {
      const params = none === undefined ? {} : { secret: none }
      const failure: unknown = await getToken({ req: await withCookie(), ...params }).catch(
        error => error,
      )
      expect(failure).toBeInstanceOf(MissingSecretError)
      expect(failure).toBeInstanceOf(AuthError)
      expect((failure as AuthError).type).toBe('MissingSecret')
      expect((failure as AuthError).message).toContain('pass the value of AUTH_SECRET')
    }
  })

  it('does not read the environment', async () => {
    vi.stubEnv('AUTH_SECRET', secret)
    await expect(getToken({ req: await withCookie() })).rejects.toThrow(MissingSecretError)
  })

  it('decodes as it is told to, and takes a failure of that for an answer', async () => {
    const req = { headers: { cookie: `mine=abc` } }
    const own = vi.fn(async () => ({ sub: 'own' }))
    const params = { req, secret: ['s'], cookieName: 'mine', salt: 'salt' }
    expect(await getToken({ ...params, decode: own })).toEqual({ sub: 'own' })
    expect(own).toHaveBeenCalledWith({ token: 'abc', secret: ['s'], salt: 'salt' })
    const failing = () => {
      throw new Error('not mine')
    }
    expect(await getToken({ ...params, decode: failing })).toBeNull()
  })
})
