import type { AuthConfig, AuthInstance } from '@siteauth/core'
import type { Adapter } from '@siteauth/core/adapters'
import type { User } from '@siteauth/core/types'
import { signInAs as signInWith } from '../../../testing/src/index.ts'
import { createFakeProvider, type FakeProvider } from '../../../testing/src/provider.ts'
import { createTestAuth, type Recorded, SECRET, Visitor } from '../visitor.ts'

/** An application whose people sign in at one issuer, with the provider id `op`. */
export interface Tenant extends AuthInstance, Recorded {
  readonly provider: FakeProvider
  readonly config: Partial<AuthConfig>
}

/** Everybody is subject 7 at every issuer, and another person at each. */
export async function createTenant(
  issuer: string,
  adapter: Adapter | undefined,
  config: Partial<AuthConfig> = {},
): Promise<Tenant> {
  const { host } = new URL(issuer)
  const person = { sub: '7', name: host, email: `person@${host}`, email_verified: true }
  const provider = await createFakeProvider({ issuer, people: [person] })
  const complete = { ...(adapter && { adapter }), trustHost: true, ...config }
  const providers = [provider.provider({ id: 'op', name: 'Provider' })]
  return { ...createTestAuth({ providers, ...complete }), provider, config: complete }
}

/** Signs in as subject 7. */
export async function signIn(
  tenant: Tenant,
  visitor: Visitor = new Visitor(tenant.handle),
): Promise<Visitor> {
  const started = await visitor.post('/signin/op')
  const to = started.headers.get('location') ?? ''
  if (to.startsWith(tenant.provider.issuer)) {
    await visitor.send(tenant.provider.authorize(to).href)
  }
  return visitor
}

/** A browser that a user is signed in with. */
export async function signInAs(
  { handle, config }: Pick<Tenant, 'handle' | 'config'>,
  { user }: { readonly user: User },
): Promise<Visitor> {
  const visitor = new Visitor(handle)
  const options = { url: 'https://app.example.com/', env: { NODE_ENV: 'test' } }
  const { cookies } = await signInWith({ secret: SECRET, ...config }, user, options)
  for (const { name, value } of cookies) visitor.cookies.set(name, value)
  return visitor
}

/** The name of the person who is signed in; null if nobody is. */
export async function personOf(visitor: Visitor): Promise<string | null> {
  const session = (await visitor.session()) as { user?: { name?: string } } | null
  return session?.user?.name ?? null
}
