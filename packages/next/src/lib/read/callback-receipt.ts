import { findSession, type ReadingScheme, type SessionConfig } from '@siteauth/core/internal'
import { nameOf } from '../config/ask-once.ts'
import type { CallbackCheck } from './session-reader.ts'

/** For how long a page believes a receipt, in seconds. Far longer than it takes to get from one to the other. */
const LIFETIME = 30

/**
 * Proof that a proxy has called the `jwt` callback: sealed, so that no visitor can make one, and bound to the session
 * and to the callback, so that it is valid for no others. Undefined if the callback has no name to be recognised by.
 */
export async function sealReceipt(
  config: SessionConfig,
  scheme: ReadingScheme,
  cookies: string | null | undefined,
): Promise<string | undefined> {
  const callback = callbackOf(config)
  const session = sessionDigest(scheme, cookies)
  if (callback === undefined || session === undefined) return undefined
  return sealerOf(config).seal({ session, callback }, LIFETIME, config.now())
}

/** Checks whether a receipt is about this very `jwt` callback, and this very session. */
export function receiptCheck(config: SessionConfig, receipt: string): CallbackCheck {
  return async (scheme, cookies) => {
    const own = callbackOf(config)
    if (own === undefined) return false
    const opened = await sealerOf(config).open(receipt, config.now())
    if (typeof opened === 'string') return false
    // Sealed above, under a key of its own.
    const { session, callback } = opened.claims as { session?: unknown; callback?: unknown }
    return callback === own && session !== undefined && session === sessionDigest(scheme, cookies)
  }
}

/** The name of the callback that is asked about tokens; undefined if none is, or it has no name. */
function callbackOf({ callbacks, strategy }: SessionConfig): string | undefined {
  return strategy === 'jwt' ? nameOf(callbacks.jwt) : undefined
}

function sealerOf(config: SessionConfig) {
  return config.sealerFor('siteauth.next.asked')
}

/** The end of a token is what authenticates it, and so unlike that of any other. */
function sessionDigest(
  scheme: ReadingScheme,
  cookies: string | null | undefined,
): string | undefined {
  return findSession(cookies, scheme.cookieOptions.sessionToken.name)?.token.slice(-64)
}
