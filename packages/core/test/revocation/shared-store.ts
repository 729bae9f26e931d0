import type { AuthConfig } from '@siteauth/core'
import type { Adapter } from '@siteauth/core/adapters'
import type { ListedSession } from '@siteauth/core/types'
import { createTestAuth, Visitor } from '../visitor.ts'

/** What the configurations of several tenants have in common. */
type SharedStore = Required<Pick<Adapter, 'revocations' | 'trackedSessions'>>

/** The number of a person, which other tenants have given to other people as well. */
export const PERSON = '1'

/**
 * A configuration with sessions in cookies, whose log and list are those of other configurations as well. Its users are
 * numbered by the application, and stored in no adapter.
 */
export function createTenantOf(
  { revocations, trackedSessions }: SharedStore,
  audience: string | undefined,
  { session, ...more }: Partial<AuthConfig> = {},
) {
  const auth = createTestAuth({
    providers: [
      {
        id: 'password',
        name: 'Password',
        type: 'credentials',
        credentials: {},
        authorize: () => ({ id: PERSON, name: audience ?? 'nobody in particular' }),
      },
    ],
    ...more,
    session: {
      strategy: 'jwt',
      // Objects of its own, as in another process: nothing but what is stored is shared.
      revocation: { log: { ...revocations }, pollSeconds: 0.001 },
      track: { ...trackedSessions },
      ...session,
      ...(audience !== undefined && { audience }),
    },
  })
  return {
    auth,
    async signIn(): Promise<Visitor> {
      const visitor = new Visitor(auth.handle)
      await visitor.post('/callback/password')
      return visitor
    },
    /** A browser with the cookies of another. */
    at(visitor: Visitor): Visitor {
      const copy = new Visitor(auth.handle)
      for (const [name, value] of visitor.cookies) copy.cookies.set(name, value)
      return copy
    },
  }
}

export async function listOf(visitor: Visitor): Promise<ListedSession[]> {
  return (await visitor.get('/sessions')).json() as Promise<ListedSession[]>
}
