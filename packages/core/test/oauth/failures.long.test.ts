import { inspect } from 'node:util'
import * as jose from 'jose'
import { describe, expect, it } from 'vitest'
import { AuthError, InvalidCheck, OAuthCallbackError } from '../../src/lib/base/errors.ts'
import type { Profile } from '../../src/lib/base/user.ts'
import type { OIDCConfig } from '../../src/lib/providers/oauth.ts'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  createFakeServer,
  type FakeServer,
  type Faults,
} from './fake-server.ts'
import { createRelyingParty, type RelyingParty } from './relying-party.ts'

const NOW = Date.UTC(2026, 10, 16)
const now = () => NOW
const seconds = NOW / 1000

async function setUp(
  faults: Faults = {},
  config: Partial<OIDCConfig<Profile>> = {},
  timeout = 10_000,
): Promise<{ op: FakeServer; rp: RelyingParty }> {
  const op = await createFakeServer({ now })
  Object.assign(op.faults, faults)
  const rp = createRelyingParty(
    {
      id: 'op',
      name: 'OP',
      type: 'oidc',
      issuer: op.issuer,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      ...config,
    },
    { fetch: op.fetch, now, timeout },
  )
  return { op, rp }
}

async function signIn({ op, rp }: { op: FakeServer; rp: RelyingParty }) {
  return rp.finish(op.authorize(await rp.start()))
}

async function failure(promise: Promise<unknown>): Promise<AuthError> {
  try {
    await promise
  } catch (error) {
    if (error instanceof AuthError) return error
    throw error
  }
  throw new Error('expected a failure, but somebody was signed in')
}

/** The error, everything below it, and that nothing of it is secret. */
function textOf(error: unknown): string {
  const seen = new Set<unknown>()
  const walk = (value: unknown): string => {
    if (typeof value !== 'object' || value === null) return String(value)
    if (seen.has(value)) return ''
    seen.add(value)
    return Reflect.ownKeys(value)
      .map(key => `${String(key)}=${walk(Reflect.get(value, key))}`)
      .join('\n')
  }
  return walk(error)
}

describe('a server that does everything right', () => {
  it('signs in', async () => {
    const { user, account, profile } = await signIn(await setUp())
    expect(user).toMatchObject({ name: 'Ada Lovelace', email: 'ada@example.test' })
    expect(account).toMatchObject({
      provider: 'op',
      type: 'oidc',
      providerAccountId: 'ada',
      access_token: 'at-ada',
      refresh_token: 'rt-ada',
      token_type: 'bearer',
      expires_at: seconds + 3600,
      scope: 'openid profile email',
    })
    expect(profile.sub).toBe('ada')
  })

  it('signs the same person in under the same id, and another one under another', async () => {
    const first = await signIn(await setUp())
    const again = await signIn(await setUp())
    const other = await signIn(await setUp({ claims: claims => ({ ...claims, sub: 'bob' }) }))
    expect(again.user.id).toBe(first.user.id)
    expect(other.user.id).not.toBe(first.user.id)
  })

  it('takes the profile from userinfo where the provider says so', async () => {
    const { user } = await signIn(await setUp({}, { idToken: false }))
    expect(user.name).toBe('Ada from userinfo')
  })
})

const none = (claims: object, alg: string, signature = '', header: object = {}) => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${encode({ alg, ...header })}.${encode(claims)}.${signature}`
}
const hmac = (claims: Record<string, unknown>, secret: string, alg = 'HS256') =>
  new jose.SignJWT(claims as jose.JWTPayload)
    .setProtectedHeader({ alg })
    .sign(new TextEncoder().encode(secret))
const changed = (change: Record<string, unknown>): Faults => ({
  claims: claims => ({ ...claims, ...change }),
})

describe('an id_token', () => {
  const cases: Record<string, readonly [RegExp, Faults]> = {
    'of another issuer': [/"iss"/, changed({ iss: 'https://evil.test' })],
    'whose issuer has a slash too many': [/"iss"/, changed({ iss: 'https://op.test/' })],
    'for another audience': [/"aud"/, changed({ aud: 'other' })],
    'for no audience': [/"aud"/, changed({ aud: undefined })],
    'for several audiences and no authorized party': [
      /"aud"/,
      changed({ aud: [CLIENT_ID, 'other'] }),
    ],
    'for another authorized party': [/another client/, changed({ azp: 'other' })],
    'for several audiences and another authorized party': [
      /"azp"/,
      changed({
        aud: [CLIENT_ID, 'other'],
        azp: 'other',
      }),
    ],
    'that is expired': [/"exp"/, changed({ exp: seconds - 16 })],
    'without expiry': [/"exp"/, changed({ exp: undefined })],
    'whose expiry is text': [/"exp"/, changed({ exp: '9999999999' })],
    'whose expiry is absurd': [/as exp/, changed({ exp: 1e30 })],
    'from the future': [/as iat/, changed({ iat: seconds + 16 })],
    'of yesterday': [/as iat/, changed({ iat: seconds - 90_000 })],
    'without time of issue': [/"iat"/, changed({ iat: undefined })],
    'not to be used yet': [/"nbf"/, changed({ nbf: seconds + 16 })],
    'without subject': [/"sub"/, changed({ sub: undefined })],
    'with a number as subject': [/"sub"/, changed({ sub: 1 })],
    'with an empty subject': [/a sub of/, changed({ sub: '' })],
    'with an endless subject': [/a sub of/, changed({ sub: 'x'.repeat(256) })],
    'with the hash of another access token': [
      /does not match the access_token/,
      changed({ at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' }),
    ],
    'that is not signed': [/"alg"/, { idToken: claims => none(claims, 'none') }],
    'that is not signed, spelt oddly': [/"alg"/, { idToken: claims => none(claims, 'NoNe') }],
    'that is not signed, though the server lists it': [
      /"alg"/,
      {
        idToken: claims => none(claims, 'none'),
        metadata: document => ({ ...document, id_token_signing_alg_values_supported: ['none'] }),
      },
    ],
    'signed by the client secret': [/"alg"/, { idToken: claims => hmac(claims, CLIENT_SECRET) }],
    'with an unknown key id': [
      /no applicable keys/,
      { header: header => ({ ...header, kid: 'unknown' }) },
    ],
    'with an extension that must be understood': [
      /"crit"/,
      {
        idToken: claims => none(claims, 'RS256', 'AAAA', { crit: ['x'], x: 1 }),
      },
    ],
    'with a key of its own in the header': [
      /signature/,
      {
        idToken: async claims => {
          const pair = await jose.generateKeyPair('RS256', { extractable: true })
          return new jose.SignJWT(claims as jose.JWTPayload)
            .setProtectedHeader({ alg: 'RS256', jwk: await jose.exportJWK(pair.publicKey) })
            .sign(pair.privateKey)
        },
      },
    ],
    'whose signature is zero': [
      /signature/,
      { idToken: claims => none(claims, 'RS256', 'A'.repeat(342)) },
    ],
    'that is no token': [/Invalid JWT/, { idToken: () => 'a.b' }],
    'that is encrypted': [/JWE/, { idToken: () => 'a.b.c.d.e' }],
    'made of dots': [/Invalid JWT/, { idToken: () => '.'.repeat(100_000) }],
  }
  for (const [name, [message, faults]] of Object.entries(cases)) {
    it(`${name} is refused`, async () => {
      const error = await failure(signIn(await setUp(faults)))
      expect(error).toBeInstanceOf(OAuthCallbackError)
      expect(error.message).toMatch(message)
    })
  }

  it('signed by HMAC with the public key is refused', async () => {
    const context = await setUp()
    const { op } = context
    op.faults.idToken = async claims => {
      const key = await jose.importJWK(op.publicJwk())
      return hmac(claims, await jose.exportSPKI(key as jose.CryptoKey))
    }
    expect(await failure(signIn(context))).toBeInstanceOf(OAuthCallbackError)
    op.faults.idToken = claims => hmac(claims, JSON.stringify(op.publicJwk()))
    expect(await failure(signIn(context))).toBeInstanceOf(OAuthCallbackError)
  })

  it.each([
    ['another', 'another'],
    ['no', undefined],
    ['a list of', ['x']],
  ])('with %s nonce is refused before anything is asked with its tokens', async (_, nonce) => {
    const context = await setUp(changed({ nonce }), { idToken: false })
    expect(await failure(signIn(context))).toBeInstanceOf(InvalidCheck)
    expect(context.op.count('/userinfo')).toBe(0)
  })

  it('that is missing is refused', async () => {
    const context = await setUp({ tokens: ({ id_token: _, ...tokens }) => tokens })
    expect(await failure(signIn(context))).toBeInstanceOf(OAuthCallbackError)
  })

  it('for several audiences is accepted where this client is the authorized party', async () => {
    const context = await setUp(changed({ aud: [CLIENT_ID, 'other'], azp: CLIENT_ID }))
    expect((await signIn(context)).account.providerAccountId).toBe('ada')
  })

  it('with the right hash of the access token is accepted', async () => {
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode('at-ada'))
    const at_hash = Buffer.from(digest).subarray(0, 16).toString('base64url')
    expect((await signIn(await setUp(changed({ at_hash })))).account.providerAccountId).toBe('ada')
  })

  it('signed by the client secret is accepted where that is registered, and no other', async () => {
    const client = { id_token_signed_response_alg: 'HS256' }
    const right = await setUp({ idToken: claims => hmac(claims, CLIENT_SECRET) }, { client })
    expect((await signIn(right)).account.providerAccountId).toBe('ada')
    const wrong = await setUp(
      { idToken: claims => hmac(claims, 'another secret, long') },
      { client },
    )
    expect(await failure(signIn(wrong))).toBeInstanceOf(OAuthCallbackError)
    const longer = await setUp(
      { idToken: claims => hmac(claims, CLIENT_SECRET.repeat(2), 'HS512') },
      { client },
    )
    expect(await failure(signIn(longer))).toBeInstanceOf(OAuthCallbackError)
    const asymmetric = await setUp({}, { client })
    expect(await failure(signIn(asymmetric))).toBeInstanceOf(OAuthCallbackError)
  })

  describe('signed by the client secret, where the client registered nothing', () => {
    const listing = (...algs: unknown[]): Faults => ({
      metadata: document => ({ ...document, id_token_signing_alg_values_supported: algs }),
    })
    const signedBy = (secret: string, alg?: string): Faults => ({
      idToken: claims => hmac(claims, secret, alg),
    })
    const signed = signedBy(CLIENT_SECRET)

    it.each([
      ['alone', ['HS256']],
      ['among others', ['RS256', 'HS256', 'ES256']],
    ])('is accepted where the server lists HS256 %s, without asking for keys', async (_, algs) => {
      const context = await setUp({ ...listing(...algs), ...signed })
      expect((await signIn(context)).account.providerAccountId).toBe('ada')
      expect(context.op.count('/jwks')).toBe(0)
    })

    it('is as good as RS256, not better: that is accepted where both are listed', async () => {
      const context = await setUp(listing('HS256', 'RS256'))
      expect((await signIn(context)).account.providerAccountId).toBe('ada')
    })

    it('takes the secret as UTF-8', async () => {
      const clientSecret = 'ein Geheimnis für größere Ängste'
      const faults = { ...listing('HS256'), ...signedBy(clientSecret) }
      expect((await signIn(await setUp(faults, { clientSecret }))).user.name).toBe('Ada Lovelace')
    })

    it('takes a secret that is as long as the hash', async () => {
      const clientSecret = 'x'.repeat(32)
      const faults = { ...listing('HS256'), ...signedBy(clientSecret) }
      expect((await signIn(await setUp(faults, { clientSecret }))).user.name).toBe('Ada Lovelace')
    })

    it('is checked with the hash of the access token', async () => {
      const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode('at-ada'))
      const at_hash = Buffer.from(digest).subarray(0, 16).toString('base64url')
      const context = await setUp(listing('HS256'))
      context.op.faults.idToken = claims => hmac({ ...claims, at_hash }, CLIENT_SECRET)
      expect((await signIn(context)).account.providerAccountId).toBe('ada')
      context.op.faults.idToken = claims => hmac({ ...claims, at_hash: 'x' }, CLIENT_SECRET)
      expect((await failure(signIn(context))).message).toContain('does not match the access_token')
    })

    it('needs a secret, which a public client does not have', async () => {
      const client = {
        token_endpoint_auth_method: 'none',
        id_token_signed_response_alg: 'HS256',
      }
      const context = await setUp(signed, { clientSecret: '', client })
      expect((await failure(signIn(context))).message).toContain(
        'a token signed with HS256 needs a clientSecret',
      )
    })

    const short = 'x'.repeat(31)

    it('is refused with advice if the secret is too short', async () => {
      const faults = { ...listing('HS256'), ...signedBy(short) }
      const { message } = await failure(signIn(await setUp(faults, { clientSecret: short })))
      expect(message).toContain('needs a clientSecret of at least 32 bytes')
      expect(message).toContain('set client.id_token_signed_response_alg if you trust the secret')
    })

    const attacks: Record<string, readonly [Faults, Partial<OIDCConfig<Profile>>?]> = {
      'HS256 is not listed': [{ ...listing('RS256', 'ES256'), ...signed }],
      'the list is empty': [{ ...listing(), ...signed }],
      'the list is no list': [
        {
          metadata: document => ({ ...document, id_token_signing_alg_values_supported: 'HS256' }),
          ...signed,
        },
      ],
      'there is no list': [
        {
          metadata: document => ({
            ...document,
            id_token_signing_alg_values_supported: undefined,
          }),
          ...signed,
        },
      ],
      'nothing was discovered': [
        signed,
        {
          authorization: 'https://op.test/authorize',
          token: 'https://op.test/token',
          jwks_endpoint: 'https://op.test/jwks',
        },
      ],
      'another is listed, and used': [
        { ...listing('HS512'), ...signedBy(CLIENT_SECRET.repeat(2), 'HS512') },
        { clientSecret: CLIENT_SECRET.repeat(2) },
      ],
      'another than HS256 is used': [
        { ...listing('HS256', 'HS512'), ...signedBy(CLIENT_SECRET.repeat(2), 'HS512') },
        { clientSecret: CLIENT_SECRET.repeat(2) },
      ],
      'the name is spelt oddly': [
        { ...listing('HS256', 'hs256'), idToken: claims => none(claims, 'hs256', 'AAAA') },
      ],
      'nothing is signed, though none is listed, too': [
        { ...listing('HS256', 'none'), idToken: claims => none(claims, 'none') },
      ],
      'the signature is empty': [{ ...listing('HS256'), idToken: claims => none(claims, 'HS256') }],
      'the secret is another': [{ ...listing('HS256'), ...signedBy(`${CLIENT_SECRET}!`) }],
      'the secret is the client id': [{ ...listing('HS256'), ...signedBy(CLIENT_ID) }],
      'the client registered RS256': [
        { ...listing('RS256', 'HS256'), ...signed },
        { client: { id_token_signed_response_alg: 'RS256' } },
      ],
      'the client is public, and has no secret': [
        { ...listing('HS256'), ...signed },
        { clientSecret: '', client: { token_endpoint_auth_method: 'none' } },
      ],
      'the client is public, whatever stands where its secret would': [
        { ...listing('HS256'), ...signed },
        { client: { token_endpoint_auth_method: 'none' } },
      ],
      'the secret is shorter than the hash': [
        { ...listing('HS256'), ...signedBy(short) },
        { clientSecret: short },
      ],
    }
    for (const [name, [faults, config]] of Object.entries(attacks)) {
      it(`is refused where ${name}`, async () => {
        const error = await failure(signIn(await setUp(faults, config)))
        expect(error).toBeInstanceOf(OAuthCallbackError)
        expect(error.message).toMatch(/"alg"|signature|signed with HS/)
      })
    }

    it('is refused where the key is the public one, in whatever form', async () => {
      const context = await setUp(listing('RS256', 'HS256'))
      const { op } = context
      const pem = await jose.exportSPKI((await jose.importJWK(op.publicJwk())) as jose.CryptoKey)
      const { n = '' } = op.publicJwk()
      for (const key of [pem, pem.trim(), JSON.stringify(op.publicJwk()), n]) {
        op.faults.idToken = claims => hmac(claims, key)
        expect((await failure(signIn(context))).message).toMatch(/signature/)
      }
    })
  })

  it('must prove a recent sign-in where one was asked for', async () => {
    const authorization = { params: { max_age: 60 } }
    const without = await setUp({}, { authorization })
    expect(await failure(signIn(without))).toBeInstanceOf(OAuthCallbackError)
    const old = await setUp(changed({ auth_time: seconds - 3600 }), { authorization })
    expect(await failure(signIn(old))).toBeInstanceOf(OAuthCallbackError)
    const recent = await setUp(changed({ auth_time: seconds - 10 }), { authorization })
    expect((await signIn(recent)).account.providerAccountId).toBe('ada')
  })

  it('is accepted after the keys were rotated', async () => {
    const context = await setUp()
    await signIn(context)
    await context.op.rotateKeys()
    await signIn(context)
    expect(context.op.count('/jwks')).toBe(2)
  })

  it('with a made up key id cannot make us ask for keys again and again', async () => {
    const context = await setUp({
      header: header => ({ ...header, kid: crypto.randomUUID() }),
    })
    for (let round = 0; round < 10; round++) await failure(signIn(context))
    await Promise.all(Array.from({ length: 20 }, () => failure(signIn(context))))
    expect(context.op.count('/jwks')).toBeLessThanOrEqual(2)
  })

  it('may name an issuer that depends on the tenant, and only that', async () => {
    const template = 'https://op.test/{tenantid}/v2.0'
    const config: Partial<OIDCConfig<Profile>> = {
      issuer: 'https://op.test/common/v2.0',
      wellKnown: 'https://op.test/.well-known/openid-configuration',
      issuerFor: (issuer, claims) => issuer.replace('common', String(claims['tid'])),
    }
    const metadata: Faults['metadata'] = ({
      authorization_response_iss_parameter_supported: _,
      ...document
    }) => ({ ...document, issuer: template })
    const of = async (iss: string, tid: string) => {
      const { op, rp } = await setUp({ metadata, ...changed({ iss, tid }) }, config)
      const answer = op.authorize(await rp.start())
      answer.delete('iss')
      return rp.finish(answer)
    }
    expect((await of('https://op.test/t1/v2.0', 't1')).account.providerAccountId).toBe('ada')
    expect(await failure(of('https://op.test/t2/v2.0', 't1'))).toBeInstanceOf(OAuthCallbackError)
    expect(await failure(of('https://op.test/common/v2.0', 't1'))).toBeInstanceOf(
      OAuthCallbackError,
    )
  })
})

const html = () => new Response('<html>busy</html>', { headers: { 'content-type': 'text/html' } })
const endpoint = (path: string, answer: () => Response | Promise<Response>): Faults => ({
  answer: asked => (asked === path ? answer() : undefined),
})
const hang = () => new Promise<Response>(() => {})
const huge = () =>
  new Response(
    new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(65_536).fill(32))
      },
    }),
    { headers: { 'content-type': 'application/json' } },
  )
const slowBody = () =>
  new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"'))
      },
    }),
  )
const redirect = () =>
  new Response(null, { status: 302, headers: { location: 'http://169.254.169.254/latest' } })
const status = (code: number) => () =>
  Response.json({ error: 'nope', id: 'junk' }, { status: code })

describe('a server that does not answer in time', () => {
  it.each([
    ['/token', hang],
    ['/token', slowBody],
    ['/userinfo', hang],
    ['/jwks', hang],
  ])('at %s signs nobody in', async (path, answer) => {
    const context = await setUp(endpoint(path, answer), { idToken: false }, 100)
    const error = await failure(signIn(context))
    expect(error).toBeInstanceOf(OAuthCallbackError)
    expect(error.message).toContain('within 100 ms')
  })

  it('stops a sign-in before it starts', async () => {
    const { rp } = await setUp(endpoint('/.well-known/openid-configuration', hang), {}, 100)
    expect((await failure(rp.start())).message).toContain('within 100 ms')
  })
})

describe('a token endpoint', () => {
  const cases: Record<string, () => Response | Promise<Response>> = {
    'that answers HTML': html,
    'that answers without end': huge,
    'that redirects': redirect,
    'that refuses': status(400),
    'that is broken': status(500),
    'that says 401 with a challenge': () =>
      new Response(null, { status: 401, headers: { 'www-authenticate': 'Basic realm="x"' } }),
    'that sends an error with status 200': () => Response.json({ error: 'bad_verification_code' }),
    'that sends an error like Slack': () => Response.json({ ok: false, error: 'invalid_code' }),
    'that sends an error like WeChat': () => Response.json({ errcode: 40029, errmsg: 'bad code' }),
    'that sends an error like Facebook': () =>
      Response.json({ error: { type: 'OAuthException', message: 'x', code: 1 } }, { status: 400 }),
    'that sends an error like Twitch': () =>
      Response.json({ status: 400, message: 'Invalid code' }, { status: 400 }),
    'that sends no access token': () => Response.json({ token_type: 'bearer' }),
    'that sends an empty access token': () => Response.json({ access_token: '' }),
    'that sends an unknown kind of token': () =>
      Response.json({ access_token: 'x', token_type: 'mac' }),
    'that sends a list': () => Response.json([]),
    'that sends nothing': () => new Response(null, { status: 204 }),
    'that cannot be reached': () => Promise.reject(new TypeError('fetch failed')),
  }
  for (const [name, answer] of Object.entries(cases)) {
    it(`${name} signs nobody in`, async () => {
      const context = await setUp(endpoint('/token', answer))
      const error = await failure(signIn(context))
      expect(error).toBeInstanceOf(OAuthCallbackError)
      expect(error.cause).toMatchObject({ provider: 'op' })
      expect(context.op.count('/latest')).toBe(0)
    })
  }

  it('has its own words kept for the log, on one line', async () => {
    const answer = () =>
      Response.json(
        { error: 'invalid_client', error_description: 'a\nb\u001b[0m' },
        { status: 401 },
      )
    const error = await failure(signIn(await setUp(endpoint('/token', answer))))
    expect(error.cause).toMatchObject({
      error: 'invalid_client',
      error_description: 'a b [0m',
      status: 401,
    })
  })

  it('may take liberties', async () => {
    const context = await setUp({
      tokens: ({ token_type: _, ...tokens }) => ({
        ...tokens,
        scope: ['openid', 'email'],
        expires_in: '3600',
        refresh_token: null,
        user_id: 1,
      }),
    })
    const { account } = await signIn(context)
    expect(account).toMatchObject({
      token_type: 'bearer',
      scope: 'openid email',
      expires_in: 3600,
      expires_at: seconds + 3600,
      user_id: 1,
    })
    expect(account).not.toHaveProperty('refresh_token')
  })
})

describe('a userinfo endpoint', () => {
  const cases: Record<string, Faults> = {
    'about somebody else': { profile: profile => ({ ...profile, sub: 'bob' }) },
    'about nobody': { profile: ({ sub: _, ...profile }) => profile },
    'that says 401': endpoint('/userinfo', status(401)),
    'that says 500': endpoint('/userinfo', status(500)),
    'that answers HTML': endpoint('/userinfo', html),
    'that answers without end': endpoint('/userinfo', huge),
    'that redirects': endpoint('/userinfo', redirect),
    'that sends a list': endpoint('/userinfo', () => Response.json([])),
    'that sends a token nobody registered for': endpoint(
      '/userinfo',
      () => new Response('a.b.c', { headers: { 'content-type': 'application/jwt' } }),
    ),
  }
  for (const [name, faults] of Object.entries(cases)) {
    it(`${name} signs nobody in`, async () => {
      const error = await failure(signIn(await setUp(faults, { idToken: false })))
      expect(error).toBeInstanceOf(OAuthCallbackError)
    })
  }

  it('is not asked with a token that no header can carry, and the token is not logged', async () => {
    const tokens: Faults['tokens'] = sent => ({ ...sent, access_token: 'a-secret\nof-two-lines' })
    const error = await failure(signIn(await setUp({ tokens }, { idToken: false })))
    expect(error.message).toContain('access token')
    expect(inspect(error, { depth: 10 })).not.toContain('of-two-lines')
  })
})

describe('metadata', () => {
  const place = '/.well-known/openid-configuration'
  const cases: Record<string, Faults> = {
    'of another issuer': { metadata: document => ({ ...document, issuer: 'https://evil.test' }) },
    'whose issuer has a path': {
      metadata: document => ({ ...document, issuer: 'https://op.test/x' }),
    },
    'without issuer': { metadata: ({ issuer: _, ...document }) => document },
    'without authorization endpoint': {
      metadata: ({ authorization_endpoint: _, ...document }) => document,
    },
    'with an endpoint without TLS': {
      metadata: document => ({ ...document, token_endpoint: 'http://op.test/token' }),
    },
    'with an endpoint that is no URL': {
      metadata: document => ({ ...document, authorization_endpoint: 'javascript:alert(1)' }),
    },
    'that is HTML': endpoint(place, html),
    'that does not end': endpoint(place, huge),
    'that is elsewhere': endpoint(place, redirect),
    'that is not there': endpoint(place, status(404)),
    'that cannot be reached': endpoint(place, () => Promise.reject(new TypeError('fetch failed'))),
  }
  for (const [name, faults] of Object.entries(cases)) {
    it(`${name} stops a sign-in before it starts`, async () => {
      const { rp } = await setUp(faults)
      expect((await failure(rp.start())).type).toBe('OAuthSignInError')
      expect(rp.cookies).toEqual({})
    })
  }

  it('that failed once is asked for again', async () => {
    const { op, rp } = await setUp(endpoint(place, status(503)))
    await failure(rp.start())
    delete op.faults.answer
    await rp.start()
    expect(op.count(place)).toBe(2)
  })

  it('without keys signs nobody in', async () => {
    const context = await setUp({ metadata: ({ jwks_uri: _, ...document }) => document })
    expect(await failure(signIn(context))).toBeInstanceOf(OAuthCallbackError)
  })
})

describe('an answer', () => {
  const cases: Record<string, (answer: URLSearchParams) => void> = {
    'without the issuer that is advertised': answer => answer.delete('iss'),
    'of another issuer': answer => answer.set('iss', 'https://evil.test'),
    'of an issuer with a slash too many': answer => answer.set('iss', 'https://op.test/'),
    'with two issuers': answer => answer.append('iss', 'https://op.test'),
    'with two codes': answer => answer.append('code', 'x'),
    'with two states': answer => answer.append('state', 'x'),
    'without code': answer => answer.delete('code'),
    'with an empty code': answer => answer.set('code', ''),
    'with an id_token in the URL': answer => answer.set('id_token', 'x'),
    'with an access token in the URL': answer => answer.set('access_token', 'x'),
    'that is a signed answer': answer => answer.set('response', 'x'),
  }
  for (const [name, spoil] of Object.entries(cases)) {
    it(`${name} is refused before the token endpoint is asked`, async () => {
      const { op, rp } = await setUp()
      const answer = op.authorize(await rp.start())
      spoil(answer)
      expect(await failure(rp.finish(answer))).toBeInstanceOf(OAuthCallbackError)
      expect(op.count('/token')).toBe(0)
    })
  }

  it('of another issuer is refused although none is advertised', async () => {
    const op = await createFakeServer({ now, advertiseIss: false })
    const rp = createRelyingParty(
      {
        id: 'op',
        name: 'OP',
        type: 'oidc',
        issuer: op.issuer,
        clientId: 'client',
        clientSecret: 's',
      },
      { fetch: op.fetch, now },
    )
    const answer = op.authorize(await rp.start())
    answer.set('iss', 'https://evil.test')
    expect(await failure(rp.finish(answer))).toBeInstanceOf(OAuthCallbackError)
  })

  it('that is an error is reported, with the words of the provider in the cause alone', async () => {
    const { op, rp } = await setUp()
    const { searchParams } = await rp.start()
    const answer = new URLSearchParams({
      error: 'access_denied',
      error_description: '<script>no</script>',
      state: searchParams.get('state') ?? '',
      iss: op.issuer,
    })
    const error = await failure(rp.finish(answer))
    expect(error).toBeInstanceOf(OAuthCallbackError)
    expect(error.message).not.toContain('script')
    expect(error.cause).toMatchObject({
      provider: 'op',
      error: 'access_denied',
      error_description: '<script>no</script>',
    })
  })

  it('that is an error of another issuer does not have its words kept', async () => {
    const { rp } = await setUp()
    const { searchParams } = await rp.start()
    const state = searchParams.get('state') ?? ''
    const answer = new URLSearchParams({ error: 'x', state, iss: 'https://evil.test' })
    expect((await failure(rp.finish(answer))).cause).not.toHaveProperty('error')
  })

  it('can be used once', async () => {
    const { op, rp } = await setUp()
    const answer = op.authorize(await rp.start())
    await rp.finish(answer)
    expect(await failure(rp.finish(answer))).toBeInstanceOf(InvalidCheck)
    expect(op.count('/token')).toBe(1)
  })

  it('cannot be used again after it failed', async () => {
    const { op, rp } = await setUp(endpoint('/token', status(500)))
    const answer = op.authorize(await rp.start())
    await failure(rp.finish(answer))
    delete op.faults.answer
    expect(await failure(rp.finish(answer))).toBeInstanceOf(InvalidCheck)
    expect(op.count('/token')).toBe(1)
  })

  it('cannot be used in another browser', async () => {
    const { op, rp } = await setUp()
    const other = await setUp()
    const answer = op.authorize(await rp.start())
    await other.rp.start()
    expect(await failure(other.rp.finish(answer))).toBeInstanceOf(InvalidCheck)
  })

  it('with the code of somebody else is refused, because the verifier does not fit', async () => {
    const { op, rp } = await setUp()
    const mine = op.authorize(await rp.start())
    const stolen = op.authorize(await rp.start())
    mine.set('code', stolen.get('code') ?? '')
    expect(await failure(rp.finish(mine))).toBeInstanceOf(OAuthCallbackError)
  })
})

describe('two tabs', () => {
  it('can sign in at once, in either order', async () => {
    const { op, rp } = await setUp()
    const first = op.authorize(await rp.start())
    const second = op.authorize(await rp.start())
    await rp.finish(second)
    await rp.finish(first)
    expect(rp.cookies).toEqual({})
  })
})

describe('many sign-ins at once', () => {
  it('ask for the metadata and the keys once', async () => {
    const { op, rp } = await setUp()
    const urls = await Promise.all(Array.from({ length: 50 }, () => rp.start()))
    expect(op.count('/.well-known/openid-configuration')).toBe(1)
    expect(urls).toHaveLength(50)
    const others = await Promise.all(Array.from({ length: 4 }, () => rp.start()))
    await Promise.all(others.map(url => rp.finish(op.authorize(url))))
    expect(op.count('/.well-known/openid-configuration')).toBe(1)
    expect(op.count('/jwks')).toBe(1)
  })
})

describe('errors', () => {
  it('hold no secret, token, code or verifier', async () => {
    const all: Faults[] = [
      changed({ iss: 'https://evil.test' }),
      changed({ nonce: 'x' }),
      changed({ sub: 1 }),
      { header: header => ({ ...header, kid: 'unknown' }) },
      { idToken: claims => none(claims, 'none') },
      { idToken: claims => none(claims, 'RS256', 'AAAA') },
      { tokens: tokens => ({ ...tokens, token_type: 'mac' }) },
      { profile: profile => ({ ...profile, sub: 'bob' }) },
      endpoint('/token', status(400)),
      endpoint('/token', html),
    ]
    for (const faults of all) {
      const context = await setUp(faults, { idToken: false })
      const url = await context.rp.start()
      const answer = context.op.authorize(url)
      const text = textOf(await failure(context.rp.finish(answer)))
      const sent = context.op.requests.find(each => each.url.pathname === '/token')?.body
      for (const secret of [
        'at-ada',
        'rt-ada',
        'eyJ',
        CLIENT_SECRET,
        answer.get('code'),
        answer.get('state'),
        url.searchParams.get('nonce'),
        sent?.get('code_verifier'),
      ]) {
        expect(secret).toBeTruthy()
        expect(text).not.toContain(secret)
      }
    }
  })
})
