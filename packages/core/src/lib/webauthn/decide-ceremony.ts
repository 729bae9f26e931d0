/** The ceremony that a browser is asked for. */
export type Ceremony = 'authenticate' | 'register'

/** The facts about a request for options. */
export interface CeremonyFacts {
  /** The ceremony that the request names. */
  readonly action: string | undefined
  readonly isSignedIn: boolean
  /** Whether the user of a new passkey is known. */
  readonly hasUser: boolean
  readonly allowSignUp: boolean
}

/**
 * Decides which options a request gets, or null. Whether an address has an account is not among the facts: the
 * response would reveal it.
 */
export function decideCeremony(facts: CeremonyFacts): Ceremony | null {
  const { action, isSignedIn, hasUser, allowSignUp } = facts
  if (action === 'authenticate') return 'authenticate'
  if (action === 'register') return isSignedIn || (allowSignUp && hasUser) ? 'register' : null
  return isSignedIn ? null : 'authenticate'
}
