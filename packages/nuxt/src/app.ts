export {
  type Session,
  type SignIn,
  type SignInOptions,
  type SignInResponse,
  type SignOut,
  type SignOutParams,
  type SignOutResponse,
  signIn,
  signOut,
  type UsedSession,
  type UseSessionOptions,
  useSession,
} from '@siteauth/vue'
export { sessionFor } from './lib/app/session-for.ts'
export { type PageAuth, type PageOptions, setUpPage } from './lib/app/set-up-page.ts'
