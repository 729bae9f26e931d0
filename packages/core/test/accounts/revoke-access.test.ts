import type { AuthConfig } from '@siteauth/core'
import { MissingAdapterMethods, UnsupportedStrategy } from '@siteauth/core/errors'
import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { createWorld, requestOf, STRATEGIES, tokenOf } from '../tokens/people.ts'
import { createTestAuth, Visitor } from '../visitor.ts'

const REVOKE = 'https://op.test/revoke'

/** An application with two users, and what its provider was asked to revoke. */
async function createRevokingWorld(strategy: (typeof STRATEGIES)[number], status = 200) {
  const world = createWorld({}, strategy)
  const revoked: string[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    if (String(input) !== REVOKE) return world.provider.fetch(input, init)
    revoked.push(new URLSearchParams(String(init?.body)).get('token') ?? '')
    return new Response(null, { status })
  }
  const config: Partial<AuthConfig> = {
    providers: [{ ...world.provider.config(), revocation: REVOKE }],
    ports: { fetch, now: () => world.clock.now },
  }
  const auth = world.node(config)
  const ada = await world.signIn('ada', { visitor: new Visitor(auth.handle) })
  const bob = await world.signIn('bob', { visitor: new Visitor(auth.handle) })
  const adaId = String((await world.adapter.getUserByEmail('ada@example.test'))?.id)
  return { ...world, auth, ada, bob, adaId, revoked }
}

describe.each(STRATEGIES)('revoking the access of a user, %s sessions', strategy => {
  it('ends the sessions of the user, and of no other', async () => {
    const { auth, ada, bob, adaId } = await createRevokingWorld(strategy)
    await auth.users.revokeAccess(adaId)
    expect(await ada.session()).toBeNull()
    expect(await bob.session()).not.toBeNull()
  })

  it('deletes the provider tokens, and has the provider revoke both', async () => {
    const { auth, adapter, adaId, revoked } = await createRevokingWorld(strategy)
    const { accounts } = await auth.users.revokeAccess(adaId)
    expect(accounts).toEqual([{ provider: 'op', accountId: 'ada', isRevoked: true }])
    expect(revoked).toEqual([
      expect.stringMatching(/^refresh-ada-/),
      expect.stringMatching(/^access-ada-/),
    ])
    const stored = await adapter.getAccount('ada', 'op')
    expect(stored).toMatchObject({ provider: 'op', providerAccountId: 'ada' })
    for (const column of ['access_token', 'refresh_token', 'id_token'] as const) {
      expect(stored?.[column] ?? null).toBeNull()
    }
  })

  it('keeps the account, so that the user can sign in with it again', async () => {
    const { auth, ada, bob, adaId, signIn } = await createRevokingWorld(strategy)
    await auth.users.revokeAccess(adaId)
    await signIn('ada', { visitor: ada })
    expect(await ada.session()).toMatchObject({ user: { email: 'ada@example.test' } })
    expect(await tokenOf(auth, ada)).toMatch(/^access-ada-/)
    expect(await tokenOf(auth, bob)).toMatch(/^access-bob-/)
  })

  it('says which tokens a provider did not revoke', async () => {
    const { auth, adapter, adaId } = await createRevokingWorld(strategy, 503)
    const { accounts } = await auth.users.revokeAccess(adaId)
    expect(accounts).toEqual([{ provider: 'op', accountId: 'ada', isRevoked: false }])
    expect((await adapter.getAccount('ada', 'op'))?.refresh_token ?? null).toBeNull()
    expect(auth.errors.join('\n')).toContain('were deleted, but not revoked at "op"')
    expect(auth.errors.join('\n')).not.toMatch(/refresh-ada|access-ada/)
  })

  it('lets no refresh that is in progress store new tokens', async () => {
    const { auth, adapter, provider, ada, adaId, clock } = await createRevokingWorld(strategy)
    clock.now += 2 * 3_600_000
    provider.ways.answer = async () => {
      provider.ways.answer = undefined
      await auth.users.revokeAccess(adaId)
      return undefined
    }
    await expect(auth.accounts.getAccessToken(requestOf(ada), 'op')).rejects.toMatchObject({
      code: 'no_refresh_token',
    })
    const stored = await adapter.getAccount('ada', 'op')
    expect(stored?.access_token ?? null).toBeNull()
    expect(stored?.refresh_token ?? null).toBeNull()
  })

  it('leaves no tokens of a sign-in that is in progress', async () => {
    const { auth, adapter, clock, adaId } = await createRevokingWorld(strategy)
    const thief = new Visitor(auth.handle)
    const started = await thief.post('/signin/op')
    const state = new URL(started.headers.get('location') ?? '').searchParams.get('state') ?? ''
    clock.now += 1000
    await auth.users.revokeAccess(adaId)
    clock.now += 1000
    const response = await thief.send(`/callback/op?${new URLSearchParams({ code: 'ada', state })}`)
    expect(response.headers.get('location')).toContain('InvalidCheck')
    const stored = await adapter.getAccount('ada', 'op')
    expect(stored?.access_token ?? null).toBeNull()
    expect(stored?.refresh_token ?? null).toBeNull()
  })

  it('deletes tokens of other issuers and of providers that are not configured, and sends them nowhere', async () => {
    const { auth, adapter, adaId, revoked } = await createRevokingWorld(strategy)
    const tokens = { userId: adaId, access_token: 'other-access', refresh_token: 'other-refresh' }
    await adapter.linkAccount({
      ...tokens,
      provider: 'gone',
      providerAccountId: 'x',
      type: 'oauth',
    })
    const issuer = 'https://else.example'
    const other = {
      ...tokens,
      provider: 'op',
      providerAccountId: 'y',
      type: 'oidc',
      issuer,
    } as const
    await adapter.linkAccount(other)
    const { accounts } = await auth.users.revokeAccess(adaId)
    expect(accounts).toContainEqual({ provider: 'gone', accountId: 'x', isRevoked: false })
    expect(accounts).toContainEqual({ provider: 'op', accountId: 'y', isRevoked: false })
    expect((await adapter.getAccount('x', 'gone'))?.refresh_token ?? null).toBeNull()
    expect((await adapter.getAccount('y', 'op'))?.refresh_token ?? null).toBeNull()
    expect(revoked.join()).not.toContain('other-')
  })
})

describe('revoking the access of a user', () => {
  it('needs an id', async () => {
    const { users } = createTestAuth({ providers: [], adapter: MemoryAdapter() })
    await expect(users.revokeAccess('')).rejects.toThrow(
      'users.revokeAccess needs the id of a user',
    )
  })

  it('says so if sessions cannot be ended', async () => {
    const { users } = createTestAuth({ providers: [] })
    await expect(users.revokeAccess('1')).rejects.toThrow(UnsupportedStrategy)
  })

  it('ends the sessions, and says what is missing, if the adapter cannot delete tokens', async () => {
    const world = await createRevokingWorld('database')
    const { updateAccount: _, ...adapter } = world.adapter
    const { users } = world.node({ adapter })
    const failure = await users.revokeAccess(world.adaId).catch(error => error)
    expect(failure).toBeInstanceOf(MissingAdapterMethods)
    expect(failure.message).toContain('updateAccount')
    expect(await world.ada.session()).toBeNull()
  })
})
