import type { AuthConfig } from '@siteauth/core'
import Credentials from '@siteauth/core/providers/credentials'
import Password from '@siteauth/core/providers/password'
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
  const { handle } = createTestAuth({
    adapter: store,
    providers: [
      {
        id: 'op',
        name: 'OP',
        type: 'oauth',
        clientId: 'id',
        clientSecret: 'secret',
        authorization: 'https://op.test/authorize',
        token: 'https://op.test/token',
        userinfo: 'https://op.test/userinfo',
        emailVerified: true,
        profile: () => ({ id: 'a1', email: ADDRESS }),
      },
      ...providers,
    ],
    ports: {
      fetch: async input =>
        String(input).endsWith('/token')
          ? Response.json({ access_token: 'token', token_type: 'bearer' })
          : Response.json({ id: 'a1', email: ADDRESS }),
    },
    ...rest,
  })
  const ann = new Visitor(handle)
  const started = await ann.post('/signin/op')
  const state = new URL(started.headers.get('location') ?? '').searchParams.get('state') ?? ''
  await ann.get(`/callback/op?${new URLSearchParams({ code: 'code', state })}`)
  expect(await ann.session()).toMatchObject({ user: { email: ADDRESS } })
  return (await store.getUser(user.id))?.emailVerified
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
