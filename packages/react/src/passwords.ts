'use client'

import {
  type AuthClientOptions,
  endpointsOfPage,
  findEndpointsBy,
} from '@siteauth/client/integration'
import { createPasswords, type PasswordsClient } from './lib/passwords-client.ts'

export type { LastOutcome } from '@siteauth/client/integration'
export type {
  AuthClientOptions,
  ChangePasswordOptions,
  ClientChoosePasswordOptions,
  ClientPasswordCalls,
  EndpointsOptions,
  PasswordLinkOptions,
  RemovePasswordOptions,
  SubmitResult,
} from '@siteauth/client/passwords'
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
 *   const { change, isPending, outcome } = usePassword()
 *   return (
 *     <form action={async form => void (await change(form))}>
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
 * Passwords, for forms of your own: `sendLink`, `choose`, `change` and `remove`. Each resolves with the outcome, even on
 * failure, and the page stays.
 *
 * @example
 * ```ts
 * import { passwords } from '@siteauth/react/passwords'
 *
 * const { ok } = await passwords.sendLink({ purpose: 'reset', email: 'ann@example.com' })
 * ```
 */
export const passwords: PasswordsClient['passwords'] = client.passwords

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
