import { type AuthClientOptions, endpointsOfPage, findEndpointsBy } from './lib/endpoints.ts'
import type { PasswordFunctions } from './lib/password-functions.ts'
import { passwordsAt } from './lib/passwords-at.ts'

export type { AuthClientOptions, EndpointsOptions } from './lib/endpoints.ts'
export type {
  ChangePasswordOptions,
  ChoosePasswordOptions,
  PasswordFunctions,
  PasswordLinkOptions,
  RemovePasswordOptions,
} from './lib/password-functions.ts'
export type { Submitted } from './lib/submit.ts'

const client: PasswordFunctions = /* @__PURE__ */ passwordsAt(endpointsOfPage)

/**
 * Sends a link to choose a password by. Everybody gets the same answer, known or not.
 *
 * @example
 * ```ts
 * import { sendPasswordLink } from '@siteauth/client/passwords'
 *
 * const { ok } = await sendPasswordLink({ purpose: 'reset', email: 'ann@example.com' })
 * ```
 */
export const sendPasswordLink: PasswordFunctions['sendPasswordLink'] = client.sendPasswordLink

/**
 * Stores the password that somebody has chosen behind a link, and signs them in. Where `error` is `PasswordRefused`,
 * `code` says why: `too_short`, `too_long`, `too_common`, `wrong_password` or `only_sign_in_method`.
 */
export const choosePassword: PasswordFunctions['choosePassword'] = client.choosePassword

/** Replaces the password of whoever is signed in, and signs them out everywhere else. */
export const changePassword: PasswordFunctions['changePassword'] = client.changePassword

/** Removes the password of whoever is signed in, unless it is their only way in. */
export const removePassword: PasswordFunctions['removePassword'] = client.removePassword

/**
 * Makes these functions for endpoints that are not at `/api/auth`. Only needed on pages without a session store, which
 * says where they are.
 *
 * @example
 * ```ts
 * import { createPasswordsClient } from '@siteauth/client/passwords'
 *
 * export const { changePassword } = createPasswordsClient({ basePath: '/auth' })
 * ```
 */
export function createPasswordsClient(options: AuthClientOptions): PasswordFunctions {
  return passwordsAt(findEndpointsBy(options))
}
