import { type AuthConfig, type AuthInstance, createAuth } from '@siteauth/core'
import type { Adapter } from '@siteauth/core/adapters'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  createFakeServer,
  type FakeServer,
} from '../../core/test/oauth/fake-server.ts'
import type { Visitor } from '../../core/test/visitor.ts'

export interface Application {
  readonly auth: AuthInstance
  /** The provider `op`, within this process. */
  readonly server: FakeServer
  /** The links that `mail` has sent. */
  readonly sent: readonly string[]
}

/** The library over that store, with two providers, links by email and passwords. */
export async function createApplication(
  adapter: Adapter,
  { now = Date.now, session }: { now?: () => number; session?: AuthConfig['session'] } = {},
): Promise<Application> {
  const server = await createFakeServer({ now, alg: 'ES256' }) // whose keys are made fast
  const sent: string[] = []
  const auth = createAuth(
    {
      secret: 'a test secret that is long enough!',
      adapter,
      ...(session && { session }),
      logger: { error() {}, warn() {}, debug() {} },
      providers: [
        ...['op', 'other'].map(id => ({
          id,
          name: id,
          type: 'oidc' as const,
          issuer: server.issuer,
          clientId: CLIENT_ID,
          clientSecret: CLIENT_SECRET,
        })),
        {
          id: 'password',
          name: 'Password',
          type: 'credentials',
          credentials: {},
          authorize: async ({ email }) => (await adapter.getUserByEmail?.(String(email))) ?? null,
        },
        {
          id: 'mail',
          name: 'Mail',
          type: 'email',
          sendVerificationRequest: ({ url }) => void sent.push(url),
        },
      ],
      callbacks: {
        // Sessions in cookies come with a token rather than a user.
        session: ({ session, user, token }) => ({
          ...session,
          user: { ...session.user, id: user?.id ?? token?.sub },
        }),
      },
      ports: { fetch: server.fetch, now },
    },
    { env: { NODE_ENV: 'test' } },
  )
  return { auth, server, sent }
}

/** Signs in at a provider, as whoever it says that the visitor is. */
export async function signIn(server: FakeServer, visitor: Visitor, id = 'op'): Promise<Response> {
  return (await goTo(server, visitor, id))()
}

/** Goes to a provider and agrees there. Returns how to come back. */
export async function goTo(
  server: FakeServer,
  visitor: Visitor,
  id: string,
): Promise<() => Promise<Response>> {
  const started = await visitor.post(`/signin/${id}`)
  const url = new URL(started.headers.get('location') ?? '')
  return () => visitor.send(`/callback/${id}?${server.authorize(url)}`)
}

/** The id of the user whose session it is. */
export function readUserId(session: unknown): unknown {
  const { user } = (session ?? {}) as { user?: { id?: unknown } }
  return user?.id
}
