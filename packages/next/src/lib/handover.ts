import { findSession, type ReadingSite, type SessionConfig } from '@siteauth/core/integration'
import { hasCallback } from './asked.ts'

/** For how long a page believes that header, in seconds. Far longer than it takes to get from one to the other. */
const LIFETIME = 30

/**
 * The value of `ASKED_HEADER`: sealed, so that no visitor can make one, and bound to the session, so that
 * it says nothing about another. Undefined where there is no callback to spare.
 */
export async function sealAsked(
  config: SessionConfig,
  site: ReadingSite,
  cookies: string | null | undefined,
): Promise<string | undefined> {
  if (!hasCallback(config)) return undefined
  const session = sessionMark(site, cookies)
  return session && sealerOf(config).seal({ session }, LIFETIME, config.now())
}

/** Whether a proxy has asked the `jwt` callback about this very session for this very request. */
export async function wasAsked(
  config: SessionConfig,
  site: ReadingSite,
  sealed: string,
  cookies: string | null | undefined,
): Promise<boolean> {
  const opened = await sealerOf(config).open(sealed, config.now())
  if (typeof opened === 'string') return false
  const { session } = opened.claims as { session?: unknown } // sealed above, under a key of its own
  return session !== undefined && session === sessionMark(site, cookies)
}

function sealerOf(config: SessionConfig) {
  return config.sealerFor('siteauth.next.asked')
}

/** The end of a token is what authenticates it, and so unlike that of any other. */
function sessionMark(site: ReadingSite, cookies: string | null | undefined): string | undefined {
  return findSession(cookies, site.cookies.sessionToken.name)?.token.slice(-64)
}
