import { equalInConstantTime } from '#crypto'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { PURPOSES } from '../../crypto/purposes.ts'
import { clearCookie } from '../../http/cookies.ts'
import { readValues } from '../../http/duplicate-session-cookies.ts'
import { type OutgoingRedirect, redirect } from '../../http/response.ts'
import { logoutCookie } from '../cookies/logout-hint.ts'
import { endpointUrl } from '../request/endpoint-url.ts'
import type { Incoming } from '../request/incoming.ts'
import { type CheckedRedirect, ownSite } from '../request/return-url.ts'
import { leaveProvider } from './sign-out-at-provider.ts'

/** How long a browser may take from one redirect to the next, in seconds. */
const TICKET_MAX_AGE = 60

/**
 * The URL for a user whom the application has signed out by a call. The data for the provider is in a cookie that
 * browsers send to these endpoints only.
 */
export async function toProviderLogout(
  config: ResolvedConfig,
  { origin }: Incoming,
  userId: string,
  to: CheckedRedirect,
): Promise<string> {
  const sealer = config.sealerFor(PURPOSES.logoutTicket)
  const ticket = await sealer.seal({ userId, to }, TICKET_MAX_AGE, config.ports.now())
  return `${endpointUrl(config, origin, 'signout/provider')}?ticket=${ticket}`
}

/** `GET signout/provider`: a user was signed out here, and continues to the provider. */
export async function goOnToProvider(
  config: ResolvedConfig,
  request: Incoming,
): Promise<OutgoingRedirect> {
  const sealer = config.sealerFor(PURPOSES.logoutTicket)
  const opened = await sealer.open(request.query['ticket'] ?? '', config.ports.now())
  if (typeof opened === 'string') return redirect(ownSite(config, request.origin))
  const { userId, to } = opened.claims as { userId: string; to: CheckedRedirect } // sealed by us
  return leaveProvider(config, request, userId, to)
}

/** `GET signout/return`: the provider redirects a user back who was signed out there. */
export async function returnFromProvider(
  config: ResolvedConfig,
  request: Incoming,
): Promise<OutgoingRedirect> {
  const cookie = logoutCookie(config, request, 'siteauth.logout')
  const sealer = config.sealerFor(PURPOSES.logoutState)
  for (const sealed of readValues(request.headers.get('cookie'), cookie.name)) {
    const opened = await sealer.open(sealed, config.ports.now())
    if (typeof opened === 'string') continue
    const { state, to } = opened.claims as { state: string; to: CheckedRedirect } // sealed by us
    // Anyone can send people here. Only the browser that was sent away from here goes on to the page that it asked for.
    if (equalInConstantTime(state, request.query['state'] ?? '')) {
      return redirect(to, [clearCookie(cookie)])
    }
  }
  return redirect(ownSite(config, request.origin))
}
