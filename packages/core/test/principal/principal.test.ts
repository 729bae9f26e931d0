import type { AuthConfig, AuthInstance } from '@siteauth/core'
import type { SessionEndReason } from '@siteauth/core/types'
import { describe, expect, it, vi } from 'vitest'
import { Visitor } from '../visitor.ts'
import { ABSENCES, type AbsenceName } from './absences.ts'
import { createWorld, requestOf, SESSION_COOKIE, type Setting, type World } from './world.ts'

// What every call asks before it does anything. The table has every call, and takes minutes.

const SETTINGS: readonly Setting[] = [
  { strategy: 'database', check: 'always' },
  { strategy: 'jwt', check: 'always' },
]

const REASONS: Readonly<Partial<Record<AbsenceName, SessionEndReason>>> = {
  no_credential: 'not_signed_in',
  unknown: 'revoked',
  expired: 'expired',
  revoked: 'revoked',
  declined: 'revoked',
  hidden: 'not_signed_in',
  no_user: 'not_signed_in',
}

describe.each(SETTINGS)('with sessions of strategy $strategy, a request', setting => {
  const rows = Object.entries(REASONS).filter(
    ([name]) => ABSENCES[name as AbsenceName].appliesTo?.(setting) ?? true,
  )

  it.each(rows)('of nobody (%s) lists nothing, and is told why at once', async (name, reason) => {
    const world = await createWorld(setting)
    const { auth } = world
    await ABSENCES[name as AbsenceName].end(world)
    expect(await auth.sessions.list(requestOf(world))).toEqual([])
    expect(await auth.accounts.list(requestOf(world))).toEqual([])
    const listener = vi.fn()
    await auth.sessions.onEnd(requestOf(world), listener)
    expect(listener.mock.calls).toEqual([[reason]])
  })

  it('with sessions of two users lists no accounts', async () => {
    const world = await createWorld(setting)
    const bob = new Visitor(world.auth.handle)
    await bob.send(world.agree(await bob.post('/signin/first'), 'carl').href)
    const own = requestOf(world)
    const planted = `${SESSION_COOKIE}=${bob.cookies.get(SESSION_COOKIE)}`
    const before = await world.auth.accounts.list(own)
    expect(before).toHaveLength(2)
    for (const cookie of [
      `${planted}; ${own.headers.cookie}`,
      `${own.headers.cookie}; ${planted}`,
    ]) {
      expect(await world.auth.accounts.list({ ...own, headers: { cookie } })).toEqual([])
    }
    expect(await world.auth.accounts.list(own)).toEqual(before)
  })

  it('is an error, and not one of nobody, if the store fails', async () => {
    const world = await createWorld(setting)
    world.faults.storeFails = true
    const type = setting.strategy === 'jwt' ? 'JWTSessionError' : 'SessionTokenError'
    await expect(world.auth.sessions.list(requestOf(world))).rejects.toMatchObject({ type })
    await expect(world.auth.accounts.list(requestOf(world))).rejects.toMatchObject({ type })
  })

  it('adds no account if the session ends while the provider responds', async () => {
    const world = await createWorld(setting)
    const answer = await addAccount(world, () => world.auth.users.endSessions(world.annId))
    expect(answer.headers.get('location')).toMatch(/error=InvalidCheck$/)
    expect(await world.store.listAccounts(world.annId)).toHaveLength(2)
  })

  it('adds no account if the store fails while the provider responds', async () => {
    const world = await createWorld(setting)
    const answer = await addAccount(world, () => {
      world.faults.storeFails = true
    })
    expect(answer.headers.get('location')).toMatch(/error=Configuration$/)
    world.faults.storeFails = false
    expect(await world.store.listAccounts(world.annId)).toHaveLength(2)
  })
})

/** Comes back from a provider with another account. Something happens while the code is exchanged. */
async function addAccount(world: World, meanwhile: () => Promise<void> | void): Promise<Response> {
  const { ports } = world.withoutStore
  const auth = world.configured({
    ports: {
      ...ports,
      async fetch(input, init) {
        if (String(input).endsWith('/token')) await meanwhile()
        return (ports?.fetch ?? fetch)(input, init)
      },
    },
  })
  const browser = copyOf(world, auth)
  return browser.send(world.agree(await browser.post('/signin/second'), 'third-of-ann').href)
}

function copyOf({ browser }: World, { handle }: AuthInstance): Visitor {
  const copy = new Visitor(handle)
  for (const [name, value] of browser.cookies) copy.cookies.set(name, value)
  return copy
}

describe('with sessions of strategy jwt, a request', () => {
  it('lists no accounts if none are stored', async () => {
    const world = await createWorld({ strategy: 'jwt', check: 'always' })
    const auth = world.configured({
      adapter: undefined,
      session: { strategy: 'jwt' },
      account: {},
      providers: world.providers.filter(provider => 'issuer' in provider),
    })
    const visitor = new Visitor(auth.handle)
    await visitor.send(world.agree(await visitor.post('/signin/first'), 'carl').href)
    const request = { headers: { cookie: visitor.cookieHeader() }, url: 'https://app.example.com/' }
    expect(await auth.getSession(request)).not.toBeNull()
    expect(await auth.accounts.list(request)).toEqual([])
  })

  it('keeps what the jwt callback makes of the claims', async () => {
    const world = await createWorld({ strategy: 'jwt', check: 'always' })
    const uses: unknown[] = []
    const auth = world.configured({
      callbacks: {
        jwt({ token }) {
          uses.push(token['uses'])
          return { ...token, uses: Number(token['uses'] ?? 0) + 1 }
        },
      },
    })
    const visitor = copyOf(world, auth)
    expect((await visitor.get('/sessions')).status).toBe(200)
    expect((await visitor.get('/sessions')).status).toBe(200)
    expect(uses).toEqual([undefined, 1])
  })

  it('asks the application about the claims once, also if an account is added', async () => {
    const world = await createWorld({ strategy: 'jwt', check: 'always' })
    let asked = 0
    const jwt: NonNullable<AuthConfig['callbacks']>['jwt'] = ({ token, user }) => {
      if (!user) asked += 1
      return token
    }
    const auth = world.configured({ callbacks: { jwt } })
    const browser = copyOf(world, auth)
    const back = world.agree(await browser.post('/signin/second'), 'third-of-ann')
    asked = 0
    await browser.send(back.href)
    expect(await world.store.listAccounts(world.annId)).toHaveLength(3)
    expect(asked).toBe(1)
  })
})
