import { findSession, type ReadingSite, type SessionConfig } from '@siteauth/core/integration'
import { nameOf } from './ask-once.ts'
import { isRoute } from './is-route.ts'

/** For how long a page believes that header, in seconds. Far longer than it takes to get from one to the other. */
const LIFETIME = 30

/**
 * The value of `ASKED_HEADER`: sealed, so that no visitor can make one, and bound to the session
 * and to the callback, so that it says nothing about others. Undefined if no callback has a name to
 * spare it by.
 */
export async function sealAsked(
  config: SessionConfig,
  site: ReadingSite,
  cookies: string | null | undefined,
): Promise<string | undefined> {
  const callback = callbackOf(config)
  const session = sessionMark(site, cookies)
  if (callback === undefined || session === undefined) return undefined
  return sealerOf(config).seal({ session, callback }, LIFETIME, config.now())
}

/** Whether a proxy has asked this very `jwt` callback about this very session for this very request. */
export async function wasAsked(
  config: SessionConfig,
  site: ReadingSite,
  sealed: string,
  cookies: string | null | undefined,
  context: unknown,
): Promise<boolean> {
  const own = callbackOf(config)
  // A proxy is the first to see a request: what says this there came from outside.
  if (own === undefined || !isRoute(context)) return false
  const opened = await sealerOf(config).open(sealed, config.now())
  if (typeof opened === 'string') return false
  // Sealed above, under a key of its own.
  const { session, callback } = opened.claims as { session?: unknown; callback?: unknown }
  return callback === own && session !== undefined && session === sessionMark(site, cookies)
}

/** The name of the callback that is asked about tokens; undefined if none is, or it has no name. */
function callbackOf({ callbacks, strategy }: SessionConfig): string | undefined {
  return strategy === 'jwt' ? nameOf(callbacks.jwt) : undefined
}

function sealerOf(config: SessionConfig) {
  return config.sealerFor('siteauth.next.asked')
}

/** The end of a token is what authenticates it, and so unlike that of any other. */
function sessionMark(site: ReadingSite, cookies: string | null | undefined): string | undefined {
  return findSession(cookies, site.cookies.sessionToken.name)?.token.slice(-64)
}
