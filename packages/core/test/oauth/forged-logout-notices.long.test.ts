import type { RevocationLog } from '@siteauth/core/adapters'
import Passkey from '@siteauth/core/providers/passkey'
import * as jose from 'jose'
import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { Visitor } from '../visitor.ts'
import { type Options, SoftwareAuthenticator } from '../webauthn/software-authenticator.ts'
import { CLIENT_SECRET } from './fake-server.ts'
import {
  createLogoutWorld,
  type LogoutWorld,
  type ProviderOptions,
  providerOf,
} from './logout-world.ts'

const STRATEGIES = ['jwt', 'database'] as const
const ORIGIN = 'https://app.example.com'

async function isIn(visitor: Visitor): Promise<boolean> {
  return (await visitor.session()) !== null
}

function form(logout_token: string): URLSearchParams {
  return new URLSearchParams({ logout_token })
}

function copyOf({ cookies }: Visitor, { auth }: LogoutWorld): Visitor {
  const copy = new Visitor(auth.handle)
  for (const [name, value] of cookies) copy.cookies.set(name, value)
  return copy
}

/** Two servers with one store between them, of which the second has not looked at it for a moment. */
async function createTwoServers(strategy: (typeof STRATEGIES)[number], audience?: string) {
  const adapter = MemoryAdapter()
  const { watch: _, ...log } = adapter.revocations
  const session = { strategy, ...(audience && { audience }) }
  const server = () =>
    createLogoutWorld({ adapter: { ...adapter, revocations: { ...log } }, session })
  return { first: await server(), second: await server() }
}

describe.each(STRATEGIES)('a notice (%s)', strategy => {
  const session = { strategy }

  it('that names a session ends those of the person that do not know theirs', async () => {
    const { signIn, send } = await createLogoutWorld({ session })
    const [unnamed, phone, bob] = [
      await signIn('ada'),
      await signIn('ada', 'phone'),
      await signIn('bob'),
    ]
    expect((await send({ sub: 'ada', sid: 'desk' })).status).toBe(200)
    expect([await isIn(unnamed), await isIn(phone), await isIn(bob)]).toEqual([false, true, true])
  })

  it('reaches a session whose sign-in has a time with a fraction', async () => {
    const { op, signIn, send, clock } = await createLogoutWorld({
      session: { ...session, absoluteAge: 3600 },
    })
    op.faults.idToken = claims =>
      op.sign({ ...claims, iat: Number(claims['iat']) + 0.25, sid: 'desk', sub: 'ada' })
    const ada = await signIn('ada', 'desk')
    const bob = await signIn('ada', 'desk')
    expect(await isIn(ada)).toBe(true)
    clock.now += 5000
    await send({ sid: 'desk' })
    expect(await isIn(ada)).toBe(false)
    clock.now += 3_600_000
    expect(await isIn(bob)).toBe(false)
  })

  it('with a fraction in its time is written as a whole number, which stores take', async () => {
    const adapter = MemoryAdapter()
    const { signIn, send, clock } = await createLogoutWorld({ adapter, session })
    const ada = await signIn('ada', 'desk')
    expect((await send({ sid: 'desk', iat: clock.now / 1000 + 0.1234 })).status).toBe(200)
    expect(await isIn(ada)).toBe(false)
    const { revocations } = await adapter.revocations.since(null)
    for (const { generation } of revocations) {
      if (generation !== null) expect(Number.isInteger(generation)).toBe(true)
    }
  })

  it('ends a session that was continued when its owner added a passkey', async () => {
    const { signIn, send } = await createLogoutWorld({
      session,
      providers: [providerOf('https://op.test'), Passkey],
      experimental: { enableWebAuthn: true },
    })
    const ada = await signIn('ada', 'desk')
    const asked = await ada.get('/webauthn-options/passkey?action=register')
    const { options } = (await asked.json()) as { options: Options }
    const data = JSON.stringify(new SoftwareAuthenticator(ORIGIN).create(options))
    await ada.post('/callback/passkey', { action: 'register', data })
    expect(await isIn(ada)).toBe(true)
    await send({ sid: 'desk' })
    expect(await isIn(ada)).toBe(false)
  })

  it('that another server took keeps a session from getting a new token, or an account', async () => {
    const { first, second } = await createTwoServers(strategy)
    const ada = await first.signIn('ada', 'desk')
    const copy = copyOf(ada, second)
    expect(await isIn(copy)).toBe(true)
    await first.send({ sid: 'desk' })
    const request = () => ({ headers: { cookie: ada.cookieHeader() }, url: ORIGIN })
    expect(await second.auth.sessions.rotate(request())).toBeNull()
    expect(await second.auth.sessions.list(request())).toEqual([])
  })
})

it('a notice that another server took keeps a tenant from adding an account', async () => {
  const { first, second } = await createTwoServers('database', 'acme')
  const ada = await first.signIn('ada', 'desk')
  const copy = copyOf(ada, second)
  expect(await isIn(copy)).toBe(true)
  await first.send({ sid: 'desk' })
  const request = { headers: { cookie: ada.cookieHeader() }, url: ORIGIN }
  expect(await second.auth.sessions.rotate(request)).toBeNull()
})

describe('a stranger who sends notices', () => {
  it('has the provider asked for nothing by what is no notice', async () => {
    const { op, post } = await createLogoutWorld()
    const unsigned = `${part({ alg: 'ES256' })}.${part({ iss: op.issuer })}.AAAA`
    for (const token of ['x', 'a.b.c', unsigned, '.'.repeat(1000)]) {
      expect((await post(form(token))).status).toBe(400)
    }
    expect(op.requests).toEqual([])
  })

  it('has its keys asked for twice at most, with names of keys that nobody has', async () => {
    const { op, notice, post } = await createLogoutWorld()
    const { privateKey } = await jose.generateKeyPair('ES256')
    for (let index = 0; index < 20; index++) {
      const forged = await new jose.SignJWT(notice({ sub: 'ada' }))
        .setProtectedHeader({ alg: 'ES256', kid: `made up ${index}`, typ: 'logout+jwt' })
        .sign(privateKey)
      expect((await post(form(forged))).status).toBe(400)
    }
    expect(op.count('/jwks')).toBeLessThanOrEqual(2)
  })

  it('does not fill the log while the provider is down', async () => {
    const { auth, clock, op, notice, post } = await createLogoutWorld()
    op.faults.answer = () => Promise.reject(new Error('refused'))
    const forged = () =>
      form(`${part({ alg: 'ES256' })}.${part(notice({ sub: 'ada' }))}.${'A'.repeat(86)}`)
    for (let index = 0; index < 20; index++) expect((await post(forged())).status).toBe(503)
    expect(auth.errors).toHaveLength(1)
    clock.now += 60_000
    await post(forged())
    expect(auth.errors).toHaveLength(2)
  })

  it('does not fill the log by frames either', async () => {
    const { auth, op } = await createLogoutWorld({}, { frontChannelLogout: true })
    op.faults.answer = () => Promise.reject(new Error('refused'))
    const query = new URLSearchParams({ iss: op.issuer, sid: 'x' })
    const url = `${ORIGIN}/auth/frontchannel-logout/op?${query}`
    for (let index = 0; index < 20; index++) {
      expect((await auth.handle(new Request(url))).status).toBe(503)
    }
    expect(auth.errors).toHaveLength(1)
  })

  it('stops the frames of no other provider', async () => {
    const issuer = 'https://op.test'
    const providers = ['op', 'other'].map(id =>
      providerOf(issuer, { id, clientId: id, frontChannelLogout: true }),
    )
    const { auth } = await createLogoutWorld({ providers })
    const ask = async (id: string, sid: string) => {
      const query = new URLSearchParams({ iss: issuer, sid })
      const url = `${ORIGIN}/auth/frontchannel-logout/${id}?${query}`
      return (await auth.handle(new Request(url))).status
    }
    for (let index = 0; index < 101; index++) await ask('op', `made up ${index}`)
    expect([await ask('op', 'desk'), await ask('other', 'desk')]).toEqual([429, 200])
  })

  it.each([
    ['as a form of several parts', formData],
    ['as text', (token: string) => `logout_token=${token}`],
    ['in a body without end', () => `logout_token=${'a'.repeat(2_000_000)}`],
  ])('ends nothing: %s', async (_how, write) => {
    const { op, signIn, notice, post } = await createLogoutWorld()
    const ada = await signIn('ada', 'desk')
    const answer = await post(write(await op.sign(notice({ sub: 'ada' }))))
    expect([400, 413]).toContain(answer.status)
    expect(await isIn(ada)).toBe(true)
  })
})

describe('a provider', () => {
  it('that signs with the client secret alone needs no keys for a notice', async () => {
    const world = await createLogoutWorld()
    world.op.faults.metadata = ({ jwks_uri: _, ...document }) => ({
      ...document,
      id_token_signing_alg_values_supported: ['HS256'],
    })
    const sign = (claims: Record<string, unknown>) =>
      new jose.SignJWT(JSON.parse(JSON.stringify(claims)))
        .setProtectedHeader({ alg: 'HS256' })
        .sign(new TextEncoder().encode(CLIENT_SECRET))
    world.op.faults.idToken = sign
    const ada = await world.signIn('ada', 'desk')
    expect(await isIn(ada)).toBe(true)
    const answer = await world.post(form(await sign(world.notice({ sid: 'desk' }))))
    expect(answer.status).toBe(200)
    expect(await isIn(ada)).toBe(false)
  })

  it.each<[string, string, string[], ProviderOptions]>([
    [
      'the client registered another',
      'HS256',
      ['ES256', 'HS256'],
      { client: { id_token_signed_response_alg: 'ES256' } },
    ],
    ['the server does not list it', 'HS256', ['ES256'], {}],
    ['it is not HS256', 'HS512', ['ES256', 'HS256', 'HS512'], {}],
    ['the secret is too short', 'HS256', ['ES256', 'HS256'], { clientSecret: 'x'.repeat(31) }],
  ])('that signs with the client secret is not heard if %s', async (_, alg, listed, provider) => {
    const clientSecret = CLIENT_SECRET.repeat(2)
    const world = await createLogoutWorld({ debug: true }, { clientSecret, ...provider })
    world.op.faults.metadata = document => ({
      ...document,
      id_token_signing_alg_values_supported: listed,
    })
    const ada = await world.signIn('ada', 'desk')
    expect(await isIn(ada)).toBe(true)
    const notice = await new jose.SignJWT(world.notice({ sid: 'desk' }))
      .setProtectedHeader({ alg })
      .sign(new TextEncoder().encode(provider.clientSecret ?? clientSecret))
    expect((await world.post(form(notice))).status).toBe(400)
    expect(await isIn(ada)).toBe(true)
    expect(lastRefusal(world)).toContain(`a token signed with ${alg}`)
  })

  it('whose notice names no algorithm is not heard, and the log says so', async () => {
    const world = await createLogoutWorld({ debug: true })
    const ada = await world.signIn('ada', 'desk')
    const token = `${part({ typ: 'logout+jwt' })}.${part(world.notice({ sid: 'desk' }))}.AAAA`
    expect((await world.post(form(token))).status).toBe(400)
    expect(await isIn(ada)).toBe(true)
    expect(lastRefusal(world)).toContain('the token has no algorithm')
  })

  it('is asked for its keys once, however many forged notices name a key that it has', async () => {
    const world = await createLogoutWorld()
    const ada = await world.signIn('ada', 'desk')
    const { kid } = world.op.publicJwk()
    const { privateKey } = await jose.generateKeyPair('ES256')
    for (let count = 0; count < 3; count++) {
      const forged = await new jose.SignJWT(world.notice({ sid: 'desk' }))
        .setProtectedHeader({ alg: 'ES256', ...(kid && { kid }) })
        .sign(privateKey)
      expect((await world.post(form(forged))).status).toBe(400)
    }
    expect(await isIn(ada)).toBe(true)
    expect(world.op.count('/jwks')).toBe(1)
  })

  it('whose key is unknown is not heard, and the log says the same each time', async () => {
    const world = await createLogoutWorld({ debug: true })
    const ada = await world.signIn('ada', 'desk')
    const messages = new Set<string>()
    for (let count = 0; count < 3; count++) {
      expect((await world.send({ sid: 'desk' }, { kid: 'unknown' })).status).toBe(400)
      messages.add(lastRefusal(world))
    }
    expect(await isIn(ada)).toBe(true)
    expect(messages.size).toBe(1)
    expect(lastRefusal(world)).toMatch(/^back-channel logout: refused: ./)
  })

  it('whose notices have the names of those of another is heard all the same', async () => {
    const adapter = MemoryAdapter()
    const one = await createLogoutWorld({ adapter })
    const other = await createLogoutWorld({ adapter }, {}, { issuer: 'https://other.test' })
    const ada = await other.signIn('ada', 'desk')
    expect((await one.send({ sid: 'desk', jti: 'same' })).status).toBe(200)
    expect((await other.send({ sid: 'desk', jti: 'same' })).status).toBe(200)
    expect(await isIn(ada)).toBe(false)
  })

  it('whose issuer ends with a slash is another than without', async () => {
    const issuer = 'https://tenant.op.test/'
    const { op, signIn, send, auth } = await createLogoutWorld({}, {}, { issuer })
    op.faults.metadata = document =>
      JSON.parse(JSON.stringify(document).replaceAll(`${issuer}/`, issuer))
    const ada = await signIn('ada', 'desk')
    expect(auth.errors).toEqual([])
    expect((await send({ sid: 'desk', iss: 'https://tenant.op.test' })).status).toBe(400)
    expect(await isIn(ada)).toBe(true)
    expect((await send({ sid: 'desk' })).status).toBe(200)
  })
})

it('the same notice at two servers at once ends the session, and one more sign-in is spared', async () => {
  const adapter = MemoryAdapter()
  const log: RevocationLog = adapter.revocations
  const slow: RevocationLog = {
    ...log,
    find: async keys => {
      const found = await log.find(keys)
      await new Promise(resolve => setImmediate(resolve))
      return found
    },
  }
  const { signIn, op, notice, post, clock } = await createLogoutWorld({
    adapter: { ...adapter, revocations: slow },
  })
  const ada = await signIn('ada', 'desk')
  const token = await op.sign(notice({ sid: 'desk' }))
  const answers = await Promise.all([post(form(token)), post(form(token))])
  for (const { status } of answers) expect([200, 400]).toContain(status)
  clock.now += 1000
  const again = await signIn('ada', 'desk')
  expect([await isIn(ada), await isIn(again)]).toEqual([false, true])
})

function part(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function formData(token: string): FormData {
  const data = new FormData()
  data.set('logout_token', token)
  return data
}

/** Why the application says that it did not believe the last notice. */
function lastRefusal({ auth }: LogoutWorld): string {
  return (
    auth.debugs
      .map(([message]) => String(message))
      .findLast(message => message.includes('refused')) ?? ''
  )
}
