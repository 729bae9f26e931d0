/** What a browser is asked to do. */
export type Ceremony = 'authenticate' | 'register'

/** What is known when options are asked for. */
export interface CeremonyFacts {
  /** What the request asks for. */
  readonly action: string | undefined
  readonly isSignedIn: boolean
  /** Whether it is known for whom a passkey would be made. */
  readonly hasUser: boolean
  readonly allowSignUp: boolean
}

/**
 * Decides which options a request gets, or null. Whether an address has an account is not among the
 * facts: whoever asks would learn it from the answer.
 */
export function decideCeremony(facts: CeremonyFacts): Ceremony | null {
  const { action, isSignedIn, hasUser, allowSignUp } = facts
  if (action === 'authenticate') return 'authenticate'
  if (action === 'register') return isSignedIn || (allowSignUp && hasUser) ? 'register' : null
  return isSignedIn ? null : 'authenticate'
}
