export { createActionURL } from './lib/compat/action-url.ts'
export { Auth } from './lib/compat/auth-request.ts'
export { setEnvDefaults } from './lib/compat/set-env-defaults.ts'
export { defineConfig } from './lib/config/define-config.ts'
export type { Env } from './lib/config/env.ts'
export { type AuthConfig, raw, skipCSRFCheck } from './lib/config/options.ts'
export type { Platform } from './lib/config/sources.ts'
export {
  type AccessTokenResult,
  type AuthInstance,
  type CookieMeans,
  createAuth,
  type EndedSessions,
  type PasswordCalls,
  type ProviderResponse,
  type Redirection,
  type RenewedSession,
  type SessionRequest,
} from './lib/doors/auth.ts'
export type { SignInWish, SignOutWish } from './lib/doors/calls.ts'
export type {
  ChangedPassword,
  ChosenPassword,
  PasswordLinkWish,
  RemovedPassword,
} from './lib/doors/password-calls.ts'
export { isAuthAction } from './lib/http/incoming.ts'
export { customFetch } from './lib/providers/oauth.ts'
