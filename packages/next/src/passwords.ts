'use client'

import { createPasswordsClient, type PasswordsClient } from '@siteauth/react/passwords'
import { nextBasePath } from './lib/config/next-base-path.ts'

// Named one by one: Next cannot see through `export *` where client code begins.
export {
  type AuthClientOptions,
  type ChangePasswordOptions,
  type ChoosePasswordOptions,
  createPasswordsClient,
  type EndpointsOptions,
  type LastOutcome,
  type PasswordForm,
  type PasswordFunctions,
  type PasswordLinkOptions,
  type PasswordsClient,
  type RemovePasswordOptions,
  type Submitted,
  type UsePassword,
} from '@siteauth/react/passwords'

const client: PasswordsClient = /* @__PURE__ */ createPasswordsClient({
  // Below the `basePath` of Next, unless a provider says otherwise.
  basePath: `${/* @__PURE__ */ nextBasePath()}/api/auth`,
  followsProvider: true,
})

/** Functions that send forms about passwords, with what became of the last. See `@siteauth/react/passwords`. */
export const usePassword: PasswordsClient['usePassword'] = client.usePassword
/** Sends a link to choose a password by. */
export const sendPasswordLink: PasswordsClient['sendPasswordLink'] = client.sendPasswordLink
/** Stores the password that somebody has chosen behind a link, and signs them in. */
export const choosePassword: PasswordsClient['choosePassword'] = client.choosePassword
/** Replaces the password of whoever is signed in. */
export const changePassword: PasswordsClient['changePassword'] = client.changePassword
/** Removes the password of whoever is signed in. */
export const removePassword: PasswordsClient['removePassword'] = client.removePassword
