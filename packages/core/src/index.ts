export {
  type AuthInstance,
  createAuth,
  type RenewedSession,
  type SessionRequest,
} from './lib/auth.ts'
export { Auth } from './lib/auth-request.ts'
export { createActionURL } from './lib/config/action-url.ts'
export type { Platform } from './lib/config/basis.ts'
export { defineConfig } from './lib/config/define-config.ts'
export type { Env } from './lib/config/env.ts'
export { type AuthConfig, raw, skipCSRFCheck } from './lib/config/options.ts'
export { setEnvDefaults } from './lib/config/set-env-defaults.ts'
export { isAuthAction } from './lib/http/incoming.ts'
export { customFetch } from './lib/providers/oauth.ts'
