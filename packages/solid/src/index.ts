import { signIn } from '@siteauth/client'
import { type SignInCalls, signInCalls } from '@siteauth/client/integration'
import { createOutcome, type Outcomes } from './lib/create-outcome.ts'

export {
  type AuthClient,
  type AuthClientOptions,
  type ClientSafeProvider,
  type ClientSafeProviders,
  createAuthClient,
  type Destination,
  type EndpointsOptions,
  type GetSessionParams,
  getCsrfToken,
  getProviders,
  getSession,
  type RequestSource,
  type SessionContextValue,
  type SessionControls,
  type SessionLoading,
  type SessionStoreOptions,
  type SignedIn,
  type SignedOut,
  type SignIn,
  type SignInAuthorizationParams,
  type SignInOptions,
  type SignInProvider,
  type SignInResponse,
  type SignOut,
  type SignOutParams,
  type SignOutResponse,
  type StoreOptions,
  type SubmitResult,
  signIn,
  signOut,
  type UpdateSession,
} from '@siteauth/client'
export type { DefaultSession, Session, User } from '@siteauth/core/types'
export type { Outcomes } from './lib/create-outcome.ts'
export { SessionProvider, type SessionProviderProps } from './lib/session-provider.ts'
export { type UseSessionOptions, useSession } from './lib/use-session.ts'

/** What a form that signs in needs: a function to send it, and what became of it. */
export interface SignInForm extends SignInCalls, Outcomes {}

/**
 * A `signIn` that leaves the page alone, with what became of the last attempt: for forms of your own with a
 * password or a code.
 *
 * @example
 * ```ts
 * import { useSignIn } from '@siteauth/solid'
 *
 * export function useCode() {
 *   const { signIn, isPending, outcome } = useSignIn()
 *   const send = async (code: string) => {
 *     const { ok, url } = await signIn('nodemailer', { code })
 *     if (ok && url) location.assign(url)
 *   }
 *   return { send, isPending, outcome }
 * }
 * ```
 */
export function useSignIn(): SignInForm {
  return createOutcome(signInCalls(signIn))
}
