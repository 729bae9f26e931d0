import type { RevocationLog } from '@siteauth/core/adapters'
import * as jose from 'jose'
import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { Visitor } from '../visitor.ts'
import { CLIENT_ID, CLIENT_SECRET, createFakeServer } from './fake-server.ts'
import { createLogoutWorld, LOGOUT_EVENT, type LogoutWorld, providerOf } from './logout-world.ts'

// The numbers are those of the checks that a relying party makes: OpenID Connect Back-Channel Logout §2.6.

const STRATEGIES = ['jwt', 'database'] as const
const DAY = 86_400_000

async function isIn(visitor: Visitor): Promise<boolean> {
  return (await visitor.session()) !== null
}

function visitorWith({ cookies }: Visitor, handle: (request: Request) => Promise<Response>) {
  const copy = new Visitor(handle)
  for (const [name, value] of cookies) copy.cookies.set(name, value)
  return copy
}

describe.each(STRATEGIES)('a notice that somebody has signed out (%s)', strategy => {
  const session = { strategy }

  it('ends the session that it names, and no other of the same person', async () => {
    const { signIn, send } = await createLogoutWorld({ session })
    const [desk, phone] = [await signIn('ada', 'desk'), await signIn('ada', 'phone')]
    const answer = await send({ sub: 'ada', sid: 'desk' })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toContain('no-store')
    expect([await isIn(desk), await isIn(phone)]).toEqual([false, true])
  })

  it('without a session ends all of that person, and of nobody else', async () => {
    const { signIn, send } = await createLogoutWorld({ session })
    const ada = [await signIn('ada', 'desk'), await signIn('ada')]
    const bob = await signIn('bob')
    expect((await send({ sub: 'ada' })).status).toBe(200)
    for (const browser of ada) expect(await isIn(browser)).toBe(false)
    expect(await isIn(bob)).toBe(true)
  })

  it('with a session alone ends that', async () => {
    const { signIn, send } = await createLogoutWorld({ session })
    const desk = await signIn('ada', 'desk')
    await send({ sid: 'desk' })
    expect(await isIn(desk)).toBe(false)
  })

  it('ends copies of the cookie, and functions do not know it either', async () => {
    const { auth, signIn, send } = await createLogoutWorld({ session })
    const desk = await signIn('ada', 'desk')
    const cookie = desk.cookieHeader()
    await send({ sid: 'desk' })
    // One for each call: after the first, a request would have no cookie.
    const request = () => ({ headers: { cookie }, url: 'https://app.example.com' })
    const begun = request()
    auth.takeSetCookies(begun) // from now on, the session is read without being renewed
    expect(await auth.getSession(begun)).toBeNull()
    expect(await auth.getSession(request())).toBeNull()
    expect(await auth.update(request(), {})).toBeNull()
    expect(await auth.sessions.rotate(request())).toBeNull()
  })

  it('that comes late spares who has signed in since', async () => {
    const { clock, signIn, op, notice, post } = await createLogoutWorld({ session })
    const before = await signIn('ada', 'desk')
    const late = await op.sign(notice({ sub: 'ada' }), { typ: 'logout+jwt' })
    clock.now += 20_000
    const after = await signIn('ada', 'desk')
    expect((await post(new URLSearchParams({ logout_token: late }))).status).toBe(200)
    expect([await isIn(before), await isIn(after)]).toEqual([false, true])
  })

  it('does not keep them from signing in again, in the same session there', async () => {
    const { clock, signIn, send } = await createLogoutWorld({ session })
    await signIn('ada', 'desk')
    await send({ sub: 'ada', sid: 'desk' })
    clock.now += 1000
    expect(await isIn(await signIn('ada', 'desk'))).toBe(true)
  })

  it('ends also a session that was renewed, and rotated', async () => {
    const { auth, clock, signIn, send } = await createLogoutWorld({ session })
    const desk = await signIn('ada', 'desk')
    clock.now += 2 * DAY
    expect(await isIn(desk)).toBe(true)
    const request = { headers: { cookie: desk.cookieHeader() }, url: 'https://app.example.com' }
    await auth.sessions.rotate(request)
    const setCookies = auth.takeSetCookies(request)
    expect(setCookies.length).toBeGreaterThan(0)
    for (const line of setCookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      desk.cookies.set(name, value)
    }
    expect(await isIn(desk)).toBe(true)
    await send({ sid: 'desk' })
    expect(await isIn(desk)).toBe(false)
  })

  it('to one client ends nothing of another, at the same provider', async () => {
    const twin = providerOf('https://op.test', { id: 'twin', clientId: 'another client' })
    const providers = [providerOf('https://op.test'), twin]
    const { op, signIn, notice, post } = await createLogoutWorld({ session, providers })
    const ada = await signIn('ada', 'desk')
    const logout_token = await op.sign(notice({ sid: 'desk', aud: 'another client' }))
    const body = new URLSearchParams({ logout_token })
    expect((await post(body)).status).toBe(400)
    expect((await post(body, { id: 'twin' })).status).toBe(200)
    expect(await isIn(ada)).toBe(true)
  })

  it('that the store does not take is answered with 503, and can be sent again', async () => {
    const adapter = MemoryAdapter()
    const { revocations } = adapter
    let isDown = false
    const log: RevocationLog = {
      ...revocations,
      end: endings => {
        if (isDown) throw new Error('the store is down')
        return revocations.end(endings)
      },
    }
    const world = await createLogoutWorld({ adapter: { ...adapter, revocations: log }, session })
    const desk = await world.signIn('ada', 'desk')
    const logout_token = await world.op.sign(world.notice({ sid: 'desk' }))
    isDown = true
    const refused = await world.post(new URLSearchParams({ logout_token }))
    expect(refused.status).toBe(503)
    isDown = false
    expect((await world.post(new URLSearchParams({ logout_token }))).status).toBe(200)
    expect(await isIn(desk)).toBe(false)
  })

  it('takes two statements', async () => {
    const adapter = MemoryAdapter()
    const { revocations } = adapter
    const asked: string[] = []
    const log: RevocationLog = {
      ...revocations,
      end: endings => {
        asked.push('end')
        return revocations.end(endings)
      },
      find: keys => {
        asked.push('find')
        return revocations.find(keys)
      },
    }
    const world = await createLogoutWorld({ adapter: { ...adapter, revocations: log }, session })
    await world.signIn('ada', 'desk')
    asked.length = 0
    await world.send({ sub: 'ada', sid: 'desk' })
    expect(asked).toEqual(['find', 'end'])
  })
})

describe('a session that its provider can end', () => {
  it.each([
    ['has a hashed token', { session: { strategy: 'database', hashTokens: true } }],
    ['is of one tenant, in a database', { session: { strategy: 'database', audience: 'acme' } }],
    ['is of one tenant, in a cookie', { session: { strategy: 'jwt', audience: 'acme' } }],
    [
      'has limits of its own',
      { session: { strategy: 'database', absoluteAge: 90_000, remember: false } },
    ],
    ['is of an application that drops every claim', { callbacks: { jwt: () => ({ name: 'x' }) } }],
  ] as const)('%s', async (_what, config) => {
    const { clock, signIn, send } = await createLogoutWorld(config)
    const [desk, phone] = [await signIn('ada', 'desk'), await signIn('ada', 'phone')]
    clock.now += 5000
    await send({ sid: 'desk' })
    expect([await isIn(desk), await isIn(phone)]).toEqual([false, true])
  })

  it('can be ended between the sign-in there and the session here', async () => {
    const world = await createLogoutWorld({
      callbacks: {
        async signIn() {
          await world.send({ sub: 'ada', sid: 'desk' })
          return true
        },
      },
    })
    expect(await isIn(await world.signIn('ada', 'desk'))).toBe(false)
  })

  it('is not made another by who changes its cookie', async () => {
    const { signIn, send } = await createLogoutWorld({ session: { strategy: 'database' } })
    const desk = await signIn('ada', 'desk')
    const name = '__Secure-authjs.session-token'
    const token = decodeURIComponent(desk.cookies.get(name) ?? '')
    await send({ sid: 'desk' })
    for (const other of [token.replace(/~p.*/, ''), token.replace(/~p[0-9a-z]+/, '~pzzzzzz')]) {
      expect(other).not.toBe(token)
      desk.cookies.set(name, encodeURIComponent(other))
      expect(await isIn(desk)).toBe(false)
    }
  })
})

/** Tokens that end nothing, by the check that they fail. */
const WRONG: Readonly<Record<string, (world: LogoutWorld) => Promise<string>>> = {
  'BCL-03: it is encrypted': async ({ notice }) =>
    new jose.EncryptJWT(notice({ sub: 'ada' }))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .encrypt(new Uint8Array(32)),
  'BCL-04: it is not signed': async ({ notice }) =>
    `${part({ alg: 'none', typ: 'logout+jwt' })}.${part(notice({ sub: 'ada' }))}.`,
  'BCL-04: it says that it is not signed, and has a signature': async ({ notice }) =>
    `${part({ alg: 'nOnE', typ: 'logout+jwt' })}.${part(notice({ sub: 'ada' }))}.AAAA`,
  'BCL-04: somebody else has signed it': async ({ notice }) => {
    const { privateKey } = await jose.generateKeyPair('ES256')
    return new jose.SignJWT(notice({ sub: 'ada' }))
      .setProtectedHeader({ alg: 'ES256', kid: 'ES256-1', typ: 'logout+jwt' })
      .sign(privateKey)
  },
  'BCL-04: it brings its own key': async ({ notice }) => {
    const { privateKey, publicKey } = await jose.generateKeyPair('ES256')
    const jwk = await jose.exportJWK(publicKey)
    return new jose.SignJWT(notice({ sub: 'ada' }))
      .setProtectedHeader({ alg: 'ES256', jwk, typ: 'logout+jwt' })
      .sign(privateKey)
  },
  'BCL-04: the public key was taken for a secret': ({ notice, op }) =>
    byHmac(notice({ sub: 'ada' }), JSON.stringify(op.publicJwk())),
  'BCL-04: it is signed with the client secret, which was not registered': ({ notice }) =>
    byHmac(notice({ sub: 'ada' }), CLIENT_SECRET),
  'BCL-04: it was changed on its way': async ({ notice, op }) => {
    const [header, , signature] = (await op.sign(notice({ sub: 'bob' }))).split('.')
    return `${header}.${part(notice({ sub: 'ada' }))}.${signature}`
  },
  'BCL-04: it demands an extension': ({ notice, op }) =>
    op.sign(notice({ sub: 'ada' }), { crit: ['b64'], b64: true }),
  'BCL-05: it is an access token': ({ notice, op }) =>
    op.sign(notice({ sub: 'ada' }), { typ: 'at+jwt' }),
  'BCL-06: another issuer': claiming({ iss: 'https://evil.test' }),
  'BCL-06: no issuer': claiming({ iss: undefined }),
  'BCL-06: for another client': claiming({ aud: 'another' }),
  'BCL-06: for other clients': claiming({ aud: ['another', 'third'] }),
  'BCL-06: for nobody': claiming({ aud: undefined }),
  'BCL-06: for an object': claiming({ aud: { [CLIENT_ID]: true } }),
  'BCL-06: not made yet': timed(seconds => ({ iat: seconds + 60, exp: seconds + 180 })),
  'BCL-06: made at no time': claiming({ iat: undefined }),
  'BCL-06: made at a text': claiming({ iat: '1' }),
  'BCL-06: over': timed(seconds => ({ iat: seconds - 180, exp: seconds - 60 })),
  'BCL-06: never over': claiming({ exp: undefined }),
  'BCL-06: over at a text': claiming({ exp: '9999999999' }),
  'BCL-07: about nobody': claiming({ sub: undefined }),
  'BCL-07: about an empty name': claiming({ sub: '' }),
  'BCL-07: about a list': claiming({ sub: ['ada'] }),
  'BCL-07: about a session that is a number': claiming({ sub: undefined, sid: 1 }),
  'BCL-08: without an event': claiming({ events: undefined }),
  'BCL-08: about another event': claiming({ events: { 'http://example.test/event': {} } }),
  'BCL-08: about a list of events': claiming({ events: [LOGOUT_EVENT] }),
  'BCL-08: about an event that is null': claiming({ events: { [LOGOUT_EVENT]: null } }),
  'BCL-08: about an event that is a list': claiming({ events: { [LOGOUT_EVENT]: [] } }),
  'BCL-09: with a nonce': claiming({ nonce: 'n' }),
  'BCL-09: with a nonce that is null': claiming({ nonce: null }),
  'BCL-10: without a name of its own': claiming({ jti: undefined }),
  'BCL-16: made long ago, and valid for long': timed(seconds => ({
    iat: seconds - 3600,
    exp: seconds + 3600,
  })),
  'CX-57: an id_token': ({ notice, op }) =>
    op.sign({ ...notice({ sub: 'ada', nonce: 'n' }), events: undefined }),
  'no token at all': async () => 'ada',
  'an endless one': async () => `${'.'.repeat(100_000)}`,
  'one with a megabyte of header': async () => `${'e'.repeat(200_000)}.e.e`,
}

function claiming(claims: Record<string, unknown>) {
  return ({ notice, op }: LogoutWorld) =>
    op.sign(notice({ sub: 'ada', ...claims }), { typ: 'logout+jwt' })
}

function timed(claims: (seconds: number) => Record<string, unknown>) {
  return (world: LogoutWorld) => claiming(claims(Math.floor(world.clock.now / 1000)))(world)
}

function part(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function byHmac(claims: Record<string, unknown>, secret: string): Promise<string> {
  return new jose.SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'logout+jwt' })
    .sign(new TextEncoder().encode(secret))
}

describe('a notice that is not as it should be', () => {
  it.each(Object.entries(WRONG))('ends nothing: %s', async (_why, make) => {
    const world = await createLogoutWorld()
    const ada = await world.signIn('ada', 'desk')
    const answer = await world.post(new URLSearchParams({ logout_token: await make(world) }))
    expect(answer.status).toBe(400)
    expect(await answer.json()).toEqual({ error: 'invalid_request' })
    expect(answer.headers.get('cache-control')).toContain('no-store')
    expect(await isIn(ada)).toBe(true)
    expect(world.auth.errors).toEqual([])
  })

  it('ends nothing: BCL-10, it was there before', async () => {
    const { clock, signIn, op, notice, post } = await createLogoutWorld()
    await signIn('ada', 'desk')
    const logout_token = await op.sign(notice({ sid: 'desk' }))
    expect((await post(new URLSearchParams({ logout_token }))).status).toBe(200)
    const again = await signIn('ada', 'desk')
    clock.now += 60_000
    expect((await post(new URLSearchParams({ logout_token }))).status).toBe(400)
    clock.now += 1000
    const later = await signIn('ada', 'desk')
    expect((await post(new URLSearchParams({ logout_token }))).status).toBe(400)
    expect(await isIn(later)).toBe(true)
    // Of the same second as the notice: it cannot be told which came first.
    expect(await isIn(again)).toBe(false)
  })

  it.each([
    ['as JSON', { headers: { 'content-type': 'application/json' } }, JSON.stringify],
    [
      'twice',
      {},
      ({ logout_token }: { logout_token: string }) =>
        new URLSearchParams([
          ['logout_token', logout_token],
          ['logout_token', logout_token],
        ]),
    ],
  ] as const)('ends nothing: BCL-01, it was sent %s', async (_how, init, write) => {
    const { signIn, op, notice, post } = await createLogoutWorld()
    const ada = await signIn('ada', 'desk')
    const body = write({ logout_token: await op.sign(notice({ sub: 'ada' })) })
    expect((await post(body, init)).status).toBe(400)
    expect(await isIn(ada)).toBe(true)
  })

  it('ends nothing: BCL-01, it came as a link', async () => {
    const { auth, signIn, op, notice } = await createLogoutWorld()
    const ada = await signIn('ada', 'desk')
    const token = await op.sign(notice({ sub: 'ada' }))
    const url = `https://app.example.com/auth/backchannel-logout/op?logout_token=${token}`
    expect((await auth.handle(new Request(url))).status).toBe(405)
    expect(await isIn(ada)).toBe(true)
  })

  it('ends nothing: the provider may not end sessions here', async () => {
    const { signIn, send } = await createLogoutWorld({}, { backChannelLogout: false })
    const ada = await signIn('ada', 'desk')
    expect((await send({ sub: 'ada' })).status).toBe(404)
    expect(await isIn(ada)).toBe(true)
  })

  it('is told to who looks for the reason, without the token', async () => {
    const world = await createLogoutWorld()
    const logout_token = await world.op.sign(world.notice({ sub: 'ada', aud: 'another' }))
    await world.post(new URLSearchParams({ logout_token }))
    const told = JSON.stringify(world.auth.debugs)
    expect(told).toMatch(/back-channel logout: refused: .*aud/)
    expect(told).not.toContain(logout_token.split('.')[2])
  })
})

describe('a notice', () => {
  it.each([
    ['logout+jwt', { typ: 'logout+jwt' }],
    ['the same in another spelling', { typ: 'application/Logout+JWT' }],
    ['JWT, by older providers', { typ: 'JWT' }],
    ['nothing, by older providers', {}],
  ])('says what it is: %s', async (_what, header) => {
    const { signIn, send } = await createLogoutWorld()
    const ada = await signIn('ada', 'desk')
    expect((await send({ sub: 'ada' }, header)).status).toBe(200)
    expect(await isIn(ada)).toBe(false)
  })

  it('may be for several clients, and is about nobody who was ever here', async () => {
    const { send } = await createLogoutWorld()
    expect((await send({ sub: 'zoe', aud: ['another', CLIENT_ID] })).status).toBe(200)
  })

  it('is signed by a key that the provider has had for a moment only', async () => {
    const { op, signIn, send } = await createLogoutWorld()
    const ada = await signIn('ada', 'desk')
    await op.rotateKeys()
    expect((await send({ sub: 'ada' })).status).toBe(200)
    expect(await isIn(ada)).toBe(false)
  })

  it('with a key that nobody has does not keep users from signing in after the keys were rotated', async () => {
    const { op, signIn, send } = await createLogoutWorld()
    await signIn('ada', 'desk')
    const requested = op.count('/jwks')
    expect((await send({ sub: 'ada' }, { typ: 'logout+jwt', kid: 'made up' })).status).toBe(400)
    expect((await send({ sub: 'ada' }, { typ: 'logout+jwt', kid: 'another' })).status).toBe(400)
    expect(op.count('/jwks')).toBe(requested + 1)
    await op.rotateKeys()
    expect(await isIn(await signIn('bob'))).toBe(true)
  })

  it('is signed with the client secret, where that was registered', async () => {
    const world = await createLogoutWorld({}, { client: { id_token_signed_response_alg: 'HS256' } })
    world.op.faults.idToken = claims => byHmac(JSON.parse(JSON.stringify(claims)), CLIENT_SECRET)
    const ada = await world.signIn('ada', 'desk')
    expect(await isIn(ada)).toBe(true)
    const byKey = await world.op.sign(world.notice({ sub: 'ada' }))
    expect((await world.post(new URLSearchParams({ logout_token: byKey }))).status).toBe(400)
    const logout_token = await byHmac(world.notice({ sub: 'ada' }), CLIENT_SECRET)
    expect((await world.post(new URLSearchParams({ logout_token }))).status).toBe(200)
    expect(await isIn(ada)).toBe(false)
  })

  it('that cannot be checked, because the provider does not answer, is asked for again', async () => {
    const world = await createLogoutWorld()
    const logout_token = await world.op.sign(world.notice({ sub: 'ada' }))
    world.op.faults.answer = () => Promise.reject(new Error('refused'))
    expect((await world.post(new URLSearchParams({ logout_token }))).status).toBe(503)
    expect(world.auth.errors.map(each => each.name)).toEqual(['SignOutError'])
  })

  it('reaches other servers of the application, which have not heard of it', async () => {
    const adapter = MemoryAdapter()
    const { watch: _, ...revocations } = adapter.revocations
    const world = await createLogoutWorld({ adapter: { ...adapter, revocations } })
    const elsewhere = await createLogoutWorld({
      adapter: { ...adapter, revocations: { ...revocations } },
    })
    const ada = await world.signIn('ada', 'desk')
    const copy = visitorWith(ada, elsewhere.auth.handle)
    expect(await isIn(copy)).toBe(true)
    await world.send({ sid: 'desk' })
    elsewhere.clock.now += 10_000
    expect(await isIn(copy)).toBe(false)
  })

  it.each(STRATEGIES)(
    'reaches servers that keep nothing, when a session is renewed at the latest (%s)',
    async strategy => {
      const session = { strategy, revocation: { check: 'on-renewal' as const } }
      const { clock, signIn, send } = await createLogoutWorld({ session })
      const ada = await signIn('ada', 'desk')
      await send({ sid: 'desk' })
      clock.now += 2 * DAY
      expect(await isIn(ada)).toBe(false)
    },
  )
})

describe('a provider that may end sessions here', () => {
  it('leaves a session of another in peace, whose issuer has the same names', async () => {
    const adapter = MemoryAdapter()
    const one = await createLogoutWorld({ adapter })
    const other = await createLogoutWorld({ adapter }, {}, { issuer: 'https://other.test' })
    const ada = await other.signIn('ada', 'desk')
    await one.send({ sub: 'ada' })
    await one.send({ sid: 'desk' })
    expect(await isIn(ada)).toBe(true)
  })

  it.each([
    ['there is no log', { adapter: undefined }, {}, /`session.revocation.log`/],
    ['the log is switched off', { session: { revocation: false as const } }, {}, /log of ended/],
    ['it does not speak OpenID Connect', {}, { type: 'oauth' as never }, /only providers of type/],
  ])('is a fault where %s', async (_why, config, provider, cure) => {
    const { issuer } = await createFakeServer({ alg: 'ES256' })
    const { auth } = await createLogoutWorld({
      ...config,
      providers: [providerOf(issuer, provider)],
    })
    await auth.handle(new Request('https://app.example.com/auth/session'))
    expect(auth.errors.map(each => each.message).join('\n')).toMatch(cure)
  })

  it('changes nothing about the cookies of those that may not', async () => {
    const lengths = await Promise.all(
      [true, false].map(async backChannelLogout => {
        const { signIn } = await createLogoutWorld({}, { backChannelLogout })
        const { cookies } = await signIn('ada', 'desk')
        return cookies.get('__Secure-authjs.session-token')?.length ?? 0
      }),
    )
    expect(lengths[0]).toBeGreaterThan(lengths[1] ?? 0)
  })
})
