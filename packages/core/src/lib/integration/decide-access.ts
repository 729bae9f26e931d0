/** The decision of a guard about a request. */
export type AccessDecision = 'allow' | Denial

/** The reason why a request is denied: it has no session, or the user lacks access. */
export type Denial = 'sign in' | 'forbidden'

/** The facts that a decision depends on, beside the session. */
export interface AccessRule {
  /** The result of the application's own check, which the caller has awaited. True if the application has no check. */
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
 * Asks the application whether a session may pass. Only `true` counts: an empty list of roles is true as well. It throws
 * only objects, since some frameworks go on if they are handed the error `undefined`.
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
