import type { SignIn, SignInOptions, SignInProvider, SignInResponse } from './sign-in.ts'
import { type LastOutcome, useOutcome } from './use-outcome.ts'

/** What a form that signs in needs: a function to send it, and what became of it. */
export interface SignInForm extends LastOutcome {
  /** Signs in, and leaves the page alone. Resolves with the outcome, even on failure. */
  readonly signIn: (
    provider: SignInProvider,
    options?: Omit<SignInOptions, 'redirect'>,
  ) => Promise<SignInResponse>
}

/** Signing in, in a component. See `useSignIn`. */
export type UseSignIn = () => SignInForm

/** Makes the hook. */
export function createUseSignIn(signIn: SignIn): UseSignIn {
  const calls: Pick<SignInForm, 'signIn'> = {
    signIn: (provider, options) => signIn(provider, { ...options, redirect: false }),
  }
  return function useSignIn() {
    return useOutcome(calls)
  }
}
