import type { AuthConfig } from '@siteauth/core'
import type { OAuthConfig } from '@siteauth/core/providers'
import Credentials from '@siteauth/core/providers/credentials'
import Password from '@siteauth/core/providers/password'
import type { Profile } from '@siteauth/core/types'
import { expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { createTestAuth, Visitor } from '../visitor.ts'

// A row of Auth.js says of nobody whether the address was proved. If the only account in it vouches for the address, it was, unless
// another person has a way into it: somebody who typed the address when there was a form for passwords.

const ADDRESS = 'ann@example.test'

/** Ann signs in by a provider that vouches for her address, as a user in whose row nobody has proved it. */
async function signInAs(
  prepare: (store: ReturnType<typeof MemoryAdapter>, userId: string) => unknown,
  config: Partial<AuthConfig> = {},
): Promise<Date | null | undefined> {
  const store = MemoryAdapter()
  const user = await store.createUser({ id: 'ann', email: ADDRESS, emailVerified: null })
  const account = { provider: 'op', providerAccountId: 'a1', type: 'oauth' } as const
  await store.linkAccount({ ...account, userId: user.id })
  await prepare(store, user.id)
  const { providers = [], ...rest } = config
  const ann = await signIn({
    adapter: store,
    providers: [provider(() => true), ...providers],
    ...rest,
  })
  expect(await ann.session()).toMatchObject({ user: { email: ADDRESS } })
  return (await store.getUser(user.id))?.emailVerified
}

/** A provider with one account, which vouches for its address if that says so. */
function provider(emailVerified: () => boolean): OAuthConfig<Profile> {
  return {
    id: 'op',
    name: 'OP',
    type: 'oauth',
    clientId: 'id',
    clientSecret: 'secret',
    authorization: 'https://op.test/authorize',
    token: 'https://op.test/token',
    userinfo: 'https://op.test/userinfo',
    emailVerified,
    profile: () => ({ id: 'a1', email: ADDRESS }),
  }
}

/** A browser in which somebody has signed in with the account. */
async function signIn(config: AuthConfig): Promise<Visitor> {
  const { handle } = createTestAuth({
    ports: {
      fetch: async input =>
        String(input).endsWith('/token')
          ? Response.json({ access_token: 'token', token_type: 'bearer' })
          : Response.json({ id: 'a1', email: ADDRESS }),
    },
    ...config,
  })
  const visitor = new Visitor(handle)
  const started = await visitor.post('/signin/op')
  const state = new URL(started.headers.get('location') ?? '').searchParams.get('state') ?? ''
  await visitor.get(`/callback/op?${new URLSearchParams({ code: 'code', state })}`)
  return visitor
}

const nothing = () => {}
const CREDENTIALS = Credentials({ credentials: {}, authorize: () => null })
const PASSWORD = Password({ mail: nothing })

it('an address counts as proved if nobody else can sign in', async () => {
  expect(await signInAs(nothing)).toBeInstanceOf(Date)
  expect(await signInAs(nothing, { providers: [PASSWORD] })).toBeInstanceOf(Date)
})

it('an address does not count as proved if the user has a password', async () => {
  const changedAt = new Date(0)
  const imported = (store: ReturnType<typeof MemoryAdapter>, userId: string) =>
    store.passwords.set({ userId, hash: '$2b$10$imported', changedAt })
  expect(await signInAs(imported, { providers: [PASSWORD] })).toBeNull()
})

it('the application says whether its own credentials are another way in', async () => {
  const asked: unknown[] = []
  const saying = (answer: boolean) => ({
    providers: [CREDENTIALS],
    callbacks: {
      userHasOtherSignInMethods({ user }: { user: { id: string } }) {
        asked.push(user.id)
        return answer
      },
    },
  })
  expect(await signInAs(nothing, saying(false))).toBeInstanceOf(Date)
  expect(await signInAs(nothing, saying(true))).toBeNull()
  expect(asked).toEqual(['ann', 'ann'])
})

it('without an answer of the application, its own credentials may be another way in', async () => {
  expect(await signInAs(nothing, { providers: [CREDENTIALS] })).toBeNull()
})

// Mallory has signed up at a provider that checks no address, with Ann's. There, she takes the account back by a link to her address.
it.each(['database', 'jwt'] as const)(
  'a session of before the address counts as proved ends (%s)',
  async strategy => {
    const store = MemoryAdapter()
    let isProved = false
    const config = {
      adapter: store,
      session: { strategy },
      providers: [provider(() => isProved)],
    }
    const mallory = await signIn(config)
    expect(await mallory.session()).toMatchObject({ user: { email: ADDRESS } })
    expect((await store.getUserByEmail(ADDRESS))?.emailVerified).toBeNull()
    isProved = true
    const ann = await signIn(config)
    expect(await ann.session()).toMatchObject({ user: { email: ADDRESS } })
    expect((await store.getUserByEmail(ADDRESS))?.emailVerified).toBeInstanceOf(Date)
    expect(await mallory.session()).toBeNull()
  },
)

it('sessions go on if the address does not come to count as proved', async () => {
  const store = MemoryAdapter()
  const config = { adapter: store, providers: [provider(() => true)] }
  const user = await store.createUser({ id: 'ann', email: ADDRESS, emailVerified: null })
  for (const name of ['op', 'another']) {
    const account = { provider: name, providerAccountId: 'a1', type: 'oauth' } as const
    await store.linkAccount({ ...account, userId: user.id })
  }
  const earlier = await signIn(config)
  await signIn(config)
  expect((await store.getUser('ann'))?.emailVerified).toBeNull()
  expect(await earlier.session()).toMatchObject({ user: { email: ADDRESS } })
})
