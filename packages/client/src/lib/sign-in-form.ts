import type { SignIn, SignInOptions, SignInProvider, SignInResponse } from './sign-in.ts'

/** A function for forms that sign in. */
export interface SignInCalls {
  /** Signs in, and leaves the page alone. Resolves with the outcome, even on failure. */
  readonly signIn: (
    provider: SignInProvider,
    options?: Omit<SignInOptions, 'redirect'>,
  ) => Promise<SignInResponse>
}

/** Makes it of a `signIn` that leaves the page. */
export function signInCalls(signIn: SignIn): SignInCalls {
  return { signIn: (provider, options) => signIn(provider, { ...options, redirect: false }) }
}
