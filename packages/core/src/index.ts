export {
  Auth,
  type AuthInstance,
  createAuth,
  type RenewedSession,
  type SessionRequest,
} from './lib/auth.ts'
export { createActionURL } from './lib/config/action-url.ts'
export type { Env } from './lib/config/env.ts'
export { type AuthConfig, raw, skipCSRFCheck } from './lib/config/options.ts'
export type { Platform } from './lib/config/resolve.ts'
export { setEnvDefaults } from './lib/config/set-env-defaults.ts'
export { isAuthAction } from './lib/http/incoming.ts'
export { customFetch } from './lib/providers/oauth.ts'
