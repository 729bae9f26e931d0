import { type ClientPasswordCalls, passwords } from '@siteauth/client/passwords'
import { type OutcomeRefs, useOutcome } from './lib/use-outcome.ts'

export * from '@siteauth/client/passwords'
export type { OutcomeRefs } from './lib/use-outcome.ts'

/** What a form about a password needs: functions to send it, and what became of it. */
export interface PasswordForm extends ClientPasswordCalls, OutcomeRefs {}

/**
 * Functions that send forms about passwords, with what became of the last one. Where `error` is
 * `PasswordRefused`, `code` says why: `too_short`, `too_long`, `too_common`, `wrong_password` or `only_sign_in_method`.
 *
 * @example
 * ```ts
 * import { usePassword } from '@siteauth/vue/passwords'
 *
 * const { change, isPending, outcome } = usePassword()
 * ```
 */
export function usePassword(): PasswordForm {
  return useOutcome(passwords)
}
