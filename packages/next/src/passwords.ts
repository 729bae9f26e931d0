'use client'

import { createPasswordsClient, type PasswordsClient } from '@siteauth/react/passwords'
import { nextBasePath } from './lib/config/next-base-path.ts'

// Named one by one: Next cannot see through `export *` where client code begins.
export {
  type AuthClientOptions,
  type ChangePasswordOptions,
  type ClientChoosePasswordOptions,
  type ClientPasswordCalls,
  createPasswordsClient,
  type EndpointsOptions,
  type LastOutcome,
  type PasswordForm,
  type PasswordLinkOptions,
  type PasswordsClient,
  type RemovePasswordOptions,
  type SubmitResult,
  type UsePassword,
} from '@siteauth/react/passwords'

const client: PasswordsClient = /* @__PURE__ */ createPasswordsClient({
  // Below the `basePath` of Next, unless a provider says otherwise.
  basePath: `${/* @__PURE__ */ nextBasePath()}/api/auth`,
  followsProvider: true,
})

/** Functions that send forms about passwords, with what became of the last. See `@siteauth/react/passwords`. */
export const usePassword: PasswordsClient['usePassword'] = client.usePassword
/** Passwords, for forms of your own: `sendLink`, `choose`, `change` and `remove`. Each resolves with the outcome. */
export const passwords: PasswordsClient['passwords'] = client.passwords
