import type { ClientPasswordCalls, LastOutcome } from '@siteauth/client/integration'
import { useOutcome } from './use-outcome.ts'

/** What a form about a password needs: functions to send it, and what became of it. */
export interface PasswordForm extends ClientPasswordCalls, LastOutcome {}

/** Passwords in a component. See `usePassword`. */
export type UsePassword = () => PasswordForm

/** Makes the hook. */
export function createUsePassword(calls: ClientPasswordCalls): UsePassword {
  return function usePassword() {
    return useOutcome(calls)
  }
}
