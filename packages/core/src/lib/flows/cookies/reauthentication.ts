import type { AdapterUser } from '../../base/adapter.ts'
import { ReauthenticationRequired } from '../../base/errors.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { clearCookie, type SetCookie, setCookie } from '../../http/cookies.ts'
import { getLinkingUser } from '../../principal/get-linking-user.ts'
import { Failure } from '../request/failure.ts'
import type { Incoming } from '../request/incoming.ts'

// One endpoint begins to sign in and begins to add an account: who is signed in decides. A user whose session may not add
// anything is asked to sign in again, and then has to be able to: the browser is marked, and what it begins is a sign-in.

/**
 * The user that a request adds a way to sign in to; null if the visitor is not signed in. Throws if the user has to
 * sign in again, and marks the browser.
 *
 * @param returnTo where the user continues after that, if the request does not say
 */
export async function requireLinkingUser(
  config: ResolvedConfig,
  request: Incoming,
  returnTo?: string,
): Promise<AdapterUser | null> {
  try {
    return await getLinkingUser(config, request)
  } catch (error) {
    if (!(error instanceof ReauthenticationRequired)) throw error
    const { reauthentication } = request.cookieOptions
    throw new Failure(error, [setCookie(reauthentication, '1')], returnTo)
  }
}

/** The same, but null as well if the user was asked a moment ago: this is how they sign in again. */
export async function findLinkingUser(
  config: ResolvedConfig,
  request: Incoming,
  returnTo?: string,
): Promise<AdapterUser | null> {
  return isMarked(request)
    ? signedInUser(config, request)
    : requireLinkingUser(config, request, returnTo)
}

/** The user of a request that signs in; null if the session may be that of another person. */
export async function signedInUser(
  config: ResolvedConfig,
  request: Incoming,
): Promise<AdapterUser | null> {
  try {
    return await getLinkingUser(config, request)
  } catch (error) {
    if (error instanceof ReauthenticationRequired) return null
    throw error
  }
}

/** Removes the mark: the user has signed in. */
export function clearReauthentication(request: Incoming): readonly SetCookie[] {
  return isMarked(request) ? [clearCookie(request.cookieOptions.reauthentication)] : []
}

function isMarked({ cookies, cookieOptions }: Incoming): boolean {
  return cookies[cookieOptions.reauthentication.name] !== undefined
}
