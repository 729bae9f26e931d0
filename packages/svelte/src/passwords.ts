import {
  changePassword,
  choosePassword,
  type PasswordFunctions,
  removePassword,
  sendPasswordLink,
} from '@siteauth/client/passwords'
import { createOutcome, type Outcomes } from './lib/create-outcome.ts'

export {
  type ChangePasswordOptions,
  type ChoosePasswordOptions,
  changePassword,
  choosePassword,
  createPasswordsClient,
  type PasswordFunctions,
  type PasswordLinkOptions,
  type RemovePasswordOptions,
  removePassword,
  type Submitted,
  sendPasswordLink,
} from '@siteauth/client/passwords'
export type { Outcomes } from './lib/create-outcome.ts'

/** What a form about a password needs: functions to send it, and what became of it. */
export interface PasswordForm extends PasswordFunctions, Outcomes {}

/**
 * Functions that send forms about passwords, with what became of the last one. Where `error` is
 * `PasswordRefused`, `code` says why: `too_short`, `too_long`, `too_common`, `wrong_password` or `only_sign_in_method`.
 *
 * @example
 * ```ts
 * import { usePassword } from '@siteauth/svelte/passwords'
 *
 * const { changePassword, isPending, outcome } = usePassword()
 * ```
 */
export function usePassword(): PasswordForm {
  return createOutcome({ sendPasswordLink, changePassword, choosePassword, removePassword })
}
