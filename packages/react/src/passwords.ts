'use client'

import {
  type AuthClientOptions,
  endpointsOfPage,
  findEndpointsBy,
} from '@siteauth/client/integration'
import { createPasswords, type PasswordsClient } from './lib/passwords-client.ts'

export type {
  AuthClientOptions,
  ChangePasswordOptions,
  ChoosePasswordOptions,
  EndpointsOptions,
  LastOutcome,
  PasswordFunctions,
  PasswordLinkOptions,
  RemovePasswordOptions,
  Submitted,
} from '@siteauth/client/integration'
export type { PasswordsClient } from './lib/passwords-client.ts'
export type { PasswordForm, UsePassword } from './lib/use-password.ts'

const client: PasswordsClient = /* @__PURE__ */ createPasswords(endpointsOfPage)

/**
 * Functions that send forms about passwords, with what became of the last one. Where `error` is
 * `PasswordRefused`, `code` says why: `too_short`, `too_long`, `too_common`, `wrong_password` or `only_sign_in_method`.
 *
 * @example
 * ```tsx
 * import { usePassword } from '@siteauth/react/passwords'
 *
 * export function ChangePassword() {
 *   const { changePassword, isPending, outcome } = usePassword()
 *   const send = (form: FormData) =>
 *     changePassword({
 *       currentPassword: String(form.get('currentPassword')),
 *       newPassword: String(form.get('newPassword')),
 *     })
 *   return (
 *     <form action={async form => void (await send(form))}>
 *       <input name="currentPassword" type="password" autoComplete="current-password" />
 *       <input name="newPassword" type="password" autoComplete="new-password" />
 *       <button disabled={isPending}>Save</button>
 *       {outcome?.error ? <p role="alert">{outcome.code}</p> : null}
 *     </form>
 *   )
 * }
 * ```
 */
export const usePassword: PasswordsClient['usePassword'] = client.usePassword

/**
 * Sends a link to choose a password by. Everybody gets the same answer, known or not.
 *
 * @example
 * ```ts
 * import { sendPasswordLink } from '@siteauth/react/passwords'
 *
 * const { ok } = await sendPasswordLink({ purpose: 'reset', email: 'ann@example.com' })
 * ```
 */
export const sendPasswordLink: PasswordsClient['sendPasswordLink'] = client.sendPasswordLink

/** Stores the password that somebody has chosen behind a link, and signs them in. */
export const choosePassword: PasswordsClient['choosePassword'] = client.choosePassword

/** Replaces the password of whoever is signed in, and signs them out everywhere else. */
export const changePassword: PasswordsClient['changePassword'] = client.changePassword

/** Removes the password of whoever is signed in, unless it is their only way in. */
export const removePassword: PasswordsClient['removePassword'] = client.removePassword

/**
 * Makes these functions for endpoints that are not at `/api/auth`. Only needed on pages without a
 * `SessionProvider`, which says where they are.
 *
 * @example
 * ```ts
 * import { createPasswordsClient } from '@siteauth/react/passwords'
 *
 * export const { usePassword } = createPasswordsClient({ basePath: '/auth' })
 * ```
 */
export function createPasswordsClient(options: AuthClientOptions): PasswordsClient {
  return createPasswords(findEndpointsBy(options))
}
