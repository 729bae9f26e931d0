'use client'

import { createPasskeyClient, type PasskeySignIn } from '@siteauth/react/webauthn'
import { nextBasePath } from './lib/config/next-base-path.ts'

// Named one by one: Next cannot see through `export *` where client code begins.
export {
  type AuthClientOptions,
  cancelPasskey,
  createPasskeyClient,
  type EndpointsOptions,
  PasskeyError,
  type PasskeyErrorType,
  type PasskeySignIn,
  type PasskeySignInOptions,
} from '@siteauth/react/webauthn'

/** Signs in with a passkey, or creates one. See `@siteauth/react/webauthn`. */
export const signIn: PasskeySignIn = /* @__PURE__ */ createPasskeyClient({
  // Below the `basePath` of Next, unless a provider says otherwise.
  basePath: `${/* @__PURE__ */ nextBasePath()}/api/auth`,
  followsProvider: true,
}).signIn
