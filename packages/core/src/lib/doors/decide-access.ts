/** What a guard decides about a request. */
export type AccessDecision = 'allow' | Denial

/** Why a request is denied: nobody is signed in, or the user may not have what it asks for. */
export type Denial = 'sign in' | 'forbidden'

/** What a decision depends on beside the session. */
export interface AccessRule {
  /** What the application's own check says, which the caller has awaited. True if there is none. */
  readonly allowed: boolean
  /** Whether that check decides about anonymous visitors as well, as Next's `authorized` does. */
  readonly coversAnonymous?: boolean | undefined
}

/** Decides who may pass a guard. Every guard of every framework asks this function. */
export function decideAccess(
  session: unknown,
  { allowed, coversAnonymous = false }: AccessRule,
): AccessDecision {
  const isSignedIn = typeof session === 'object' && session !== null
  if (allowed === true && (isSignedIn || coversAnonymous)) return 'allow'
  return isSignedIn ? 'forbidden' : 'sign in'
}

/**
 * Asks the application whether a session may pass. Only `true` counts: an empty list of roles is true as well. What it throws
 * is an object, since some frameworks go on if they are handed the error `undefined`.
 */
export async function isAllowed<Sess>(
  session: Sess,
  allow: ((session: Sess) => boolean | Promise<boolean>) | undefined,
): Promise<boolean> {
  if (allow === undefined) return true
  try {
    return (await allow(session)) === true
  } catch (error) {
    if (typeof error === 'object' && error !== null) throw error
    throw new TypeError(`allow has thrown ${String(error)}, which is not an error.`)
  }
}
