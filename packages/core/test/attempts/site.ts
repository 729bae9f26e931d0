import Credentials from '@siteauth/core/providers/credentials'
import type { AuthConfig } from '@siteauth/core/types'
import type { CompleteAdapter } from '../../../adapters/src/memory.ts'
import { createFaultyStore } from '../faulty-store.ts'
import { CLIENT_ID, CLIENT_SECRET } from '../oauth/fake-server.ts'
import { ANN, createWorld, PASSWORDS, type World } from '../principal/world.ts'
import { Visitor } from '../visitor.ts'
import { SoftwareAuthenticator } from '../webauthn/software-authenticator.ts'
import { ANN_AT_PLAIN } from './ways.ts'

// The application of the table of principals, with every way for Ann to sign in, over a store whose calls can be counted and
// interrupted. What happens to Ann meanwhile happens in another process, which has the store in common with it.

export interface Site {
  readonly world: World
  readonly store: ReturnType<typeof createFaultyStore>
  readonly device: SoftwareAuthenticator
  /** The codes that were sent. */
  readonly codes: string[]
  /** A new browser. */
  visitor(): Visitor
  /** A browser in which Ann is signed in. */
  signedIn(): Promise<Visitor>
}

export type Strategy = 'jwt' | 'database'

/**
 * @param skew how far the clock of its server is ahead of the store's and of all others, in milliseconds
 * @param more more options
 */
export async function createSite(
  strategy: Strategy,
  skew = 0,
  more: Pick<AuthConfig, 'events' | 'callbacks'> = {},
): Promise<Site> {
  const world = await createWorld({ strategy, check: 'always' }, { isSignedIn: false })
  const store = createFaultyStore(world.store as CompleteAdapter, [
    'passwords',
    'revocations',
    'trackedSessions',
  ])
  const codes: string[] = []
  const auth = world.configured({
    ...more,
    adapter: store.adapter,
    ports: { ...world.withoutStore.ports, now: () => world.clock.now + skew },
    providers: [
      ...world.providers,
      Credentials({
        id: 'own',
        credentials: { email: {} },
        authorize: ({ email }) => world.store.getUserByEmail(String(email)),
      }),
      {
        id: 'plain',
        name: 'Plain',
        type: 'oauth',
        authorization: `${world.issuer}/authorize`,
        token: `${world.issuer}/token`,
        userinfo: `${world.issuer}/userinfo`,
        clientId: CLIENT_ID,
        clientSecret: CLIENT_SECRET,
        profile: () => ({ id: ANN_AT_PLAIN, name: ANN.name, email: ANN.email }),
      },
      {
        id: 'codes',
        name: 'Codes',
        type: 'email',
        code: true,
        sendVerificationRequest: ({ code = '' }) => void codes.push(code),
      },
    ],
  })
  const { annId: userId } = world
  await world.store.linkAccount({
    userId,
    provider: 'plain',
    providerAccountId: ANN_AT_PLAIN,
    type: 'oauth',
  })
  const visitor = () => new Visitor(auth.handle)
  const signedIn = async () => {
    const browser = visitor()
    await browser.post('/signin/password', { email: ANN.email, password: PASSWORDS.ann })
    return browser
  }
  const device = new SoftwareAuthenticator('https://app.example.com')
  return { world, store, device, codes, visitor, signedIn }
}

/** Whether a browser has a session of Ann's, as another process finds that has just been started. */
export async function hasSessionOfAnn({ world }: Site, browser: Visitor): Promise<boolean> {
  const reader = new Visitor(world.configured({ adapter: world.store }).handle)
  for (const [name, value] of browser.cookies) reader.cookies.set(name, value)
  const session = (await reader.session()) as { user?: { id?: unknown } } | null
  return session?.user?.id === world.annId
}

export interface WaysIn {
  readonly accounts: readonly string[]
  readonly passkeys: readonly string[]
  readonly password: string | undefined
}

/** What is stored of Ann's that someone could sign in with. */
export async function waysIn({ world: { store, annId } }: Site): Promise<WaysIn> {
  return {
    accounts: (await store.listAccounts(annId)).map(
      ({ provider, providerAccountId }) => `${provider} ${providerAccountId}`,
    ),
    passkeys: (await store.listAuthenticatorsByUserId(annId)).map(each => each.credentialID),
    password: (await store.passwords.get(annId))?.hash,
  }
}
