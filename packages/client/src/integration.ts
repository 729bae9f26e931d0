// What the packages for React, Vue, Svelte and Solid are built on.
export {
  type AuthClientOptions,
  type EndpointsOptions,
  endpointsOfPage,
  type FindEndpoints,
  findEndpointsBy,
} from './lib/endpoints.ts'
export { goToSignIn } from './lib/go-to-sign-in.ts'
export { type ClientPasswordCalls, passwordsAt } from './lib/passwords-at.ts'
export {
  type SessionList,
  type SessionListControls,
  sessionListControls,
} from './lib/session-list.ts'
export { sessionsAt } from './lib/sessions-at.ts'
export { createSignIn, type SignIn } from './lib/sign-in.ts'
export { type SignInCalls, signInCalls } from './lib/sign-in-form.ts'
export { createSignOut } from './lib/sign-out.ts'
export { readingOf } from './lib/store/reading-of.ts'
export {
  createSessionStore,
  type SessionStore,
  type SessionStoreOptions,
  type StoreOptions,
} from './lib/store/session-store.ts'
export type { SessionContextValue } from './lib/store/session-value.ts'
export type { SubmitResult } from './lib/submit.ts'
export {
  type Forms,
  type LastOutcome,
  NOTHING_SENT,
  watchOutcomes,
} from './lib/watch-outcomes.ts'
