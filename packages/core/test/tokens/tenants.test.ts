import type { OAuthConfig } from '@siteauth/core/providers'
import type { Profile } from '@siteauth/core/types'
import { describe, expect, it } from 'vitest'
import { Visitor } from '../visitor.ts'
import { createWorld, tokenOf } from './people.ts'
import { createRotatingProvider } from './rotating-provider.ts'

const HOUR = 3_600_000

/** A configuration whose server numbers its refresh tokens, as that of another one does. */
function tenantWithNumbers(
  name: string,
  {
    audience = name,
    ...provider
  }: Partial<OAuthConfig<Profile>> & { readonly audience?: string | undefined } = {},
) {
  const clock = { now: Date.now() }
  let number = 0
  const fetch: typeof globalThis.fetch = async input =>
    new URL(input instanceof Request ? input.url : input).pathname === '/token'
      ? Response.json({
          access_token: `access ${name} ${++number}`,
          token_type: 'bearer',
          refresh_token: `refresh ${number}`,
          expires_in: 3600,
        })
      : Response.json({ id: '1' })
  const world = createWorld(
    {
      adapter: undefined,
      account: { storeTokensInCookie: true },
      session: { strategy: 'jwt', audience },
      providers: [{ ...createRotatingProvider().config(), ...provider }],
      ports: { now: () => clock.now, fetch },
    },
    'jwt',
  )
  return { ...world, clock }
}

describe('tokens in cookies of two tenants', () => {
  it('are not exchanged for those of the other, whose refresh token has the same text', async () => {
    const [a, b] = [tenantWithNumbers('a'), tenantWithNumbers('b')]
    const [ann, ben] = [await a.signIn('ada'), await b.signIn('ada')]
    for (const world of [a, b]) world.clock.now += HOUR
    expect(await tokenOf(a.auth, ann)).toBe('access a 2')
    expect(await tokenOf(b.auth, ben)).toBe('access b 2')
  })
})

describe('tokens in cookies of two configurations in one process', () => {
  const others: Record<string, Partial<OAuthConfig<Profile>>> = {
    'another server': { token: 'https://other.test/token' },
    'another client': { clientId: 'another client' },
  }

  it.each(Object.keys(others))(
    'are not exchanged for those of %s, whose refresh token has the same text',
    async name => {
      const a = tenantWithNumbers('a', { audience: 'one' })
      const b = tenantWithNumbers('b', { audience: 'one', ...others[name] })
      const [ann, ben] = [await a.signIn('ada'), await b.signIn('ada')]
      for (const world of [a, b]) world.clock.now += HOUR
      expect(await tokenOf(a.auth, ann)).toBe('access a 2')
      expect(await tokenOf(b.auth, ben)).toBe('access b 2')
    },
  )
})

describe('an account that two tenants share', () => {
  it('is refreshed by one of them at a time: it has one refresh token', async () => {
    // Encrypted, they are for one audience, and no other can refresh them.
    const account = { encryptTokens: false }
    const world = createWorld({ account, session: { strategy: 'jwt', audience: 'a' } }, 'jwt')
    const other = world.node({ account, session: { strategy: 'jwt', audience: 'b' } })
    const atOther = await world.signIn('ada', { visitor: new Visitor(other.handle) })
    const visitor = await world.signIn('ada')
    world.clock.now += HOUR
    const tokens = await Promise.all([tokenOf(world.auth, visitor), tokenOf(other, atOther)])
    expect(new Set(tokens).size).toBe(1)
    expect(tokens[0]).toMatch(/^access-ada/)
    expect(world.provider.refreshes()).toBe(1)
  })
})
