import { type AuthInstance, createAuth } from '@siteauth/core'
import type { Adapter } from '@siteauth/core/adapters'

export const ORIGIN = 'https://app.example.com'
export const CALLBACK = `${ORIGIN}/auth/callback/op`
export const CLIENT_ID = 'app'
export const CLIENT_SECRET = 'a secret of the client, which is long'

/**
 * An application whose people sign in with a real provider.
 *
 * @param ahead how far its clock is ahead of the provider's, in milliseconds
 */
export function createApplication(adapter: Adapter, issuer: string, ahead = 0): AuthInstance {
  return createAuth(
    {
      secret: 'a test secret that is long enough!',
      adapter,
      session: { strategy: 'jwt' },
      logger: { error() {}, warn() {}, debug() {} },
      ports: { now: () => Date.now() + ahead },
      providers: [
        {
          id: 'op',
          name: 'Provider',
          type: 'oidc',
          issuer,
          clientId: CLIENT_ID,
          clientSecret: CLIENT_SECRET,
        },
      ],
    },
    { env: { NODE_ENV: 'test' } },
  )
}

/** The task of a process. */
export interface Job {
  readonly store: string
  readonly place: string
  readonly issuer: string
  readonly cookie: string
  readonly calls: number
  readonly ahead: number
  /** Whether it is to be killed when it has new tokens and is about to store them. */
  readonly diesBeforeWriting: boolean
}

/** What came of it: each access token, or the code of an error, and how many calls got it. */
export type Report = Readonly<Record<string, number>>
