import {
  type LastOutcome,
  type SignIn,
  type SignInCalls,
  signInCalls,
} from '@siteauth/client/integration'
import { useOutcome } from './use-outcome.ts'

/** What a form that signs in needs: a function to send it, and what became of it. */
export interface SignInForm extends SignInCalls, LastOutcome {}

/** Signing in, in a component. See `useSignIn`. */
export type UseSignIn = () => SignInForm

/** Makes the hook. */
export function createUseSignIn(signIn: SignIn): UseSignIn {
  const calls = signInCalls(signIn)
  return function useSignIn() {
    return useOutcome(calls)
  }
}
