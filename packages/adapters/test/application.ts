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

/** The library over that store, with a provider and with links by email. */
export async function createApplication(
  adapter: Adapter,
  { now = Date.now, session }: { now?: () => number; session?: AuthConfig['session'] } = {},
): Promise<Application> {
  const server = await createFakeServer({ now })
  const sent: string[] = []
  const auth = createAuth(
    {
      secret: 'a test secret that is long enough!',
      adapter,
      ...(session && { session }),
      logger: { error() {}, warn() {}, debug() {} },
      providers: [
        {
          id: 'op',
          name: 'Provider',
          type: 'oidc',
          issuer: server.issuer,
          clientId: CLIENT_ID,
          clientSecret: CLIENT_SECRET,
        },
        {
          id: 'mail',
          name: 'Mail',
          type: 'email',
          sendVerificationRequest: ({ url }) => void sent.push(url),
        },
      ],
      callbacks: {
        session: ({ session, user }) => ({ ...session, user: { ...session.user, id: user.id } }),
      },
      ports: { fetch: server.fetch, now },
    },
    { env: {} },
  )
  return { auth, server, sent }
}

/** Signs in at the provider, as whoever it says that the visitor is. */
export async function signIn(server: FakeServer, visitor: Visitor): Promise<void> {
  const started = await visitor.post('/signin/op')
  const url = new URL(started.headers.get('location') ?? '')
  await visitor.send(`/callback/op?${server.authorize(url)}`)
}

/** Whose session it is. */
export function userIdOf(session: unknown): unknown {
  const { user } = (session ?? {}) as { user?: { id?: unknown } }
  return user?.id
}
