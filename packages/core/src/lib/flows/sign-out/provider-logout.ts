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
  const ticket = typeof opened === 'string' ? null : readVisit(opened.claims, 'userId')
  if (!ticket) return redirect(ownSite(config, request.origin))
  return leaveProvider(config, request, ticket.value, ticket.to)
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
    const visit = typeof opened === 'string' ? null : readVisit(opened.claims, 'state')
    // Anyone can send people here. Only the browser that was sent away from here goes on to the page that it asked for.
    if (visit && equalInConstantTime(visit.value, request.query['state'] ?? '')) {
      return redirect(visit.to, [clearCookie(cookie)])
    }
  }
  return redirect(ownSite(config, request.origin))
}

/** Whom a visit to a provider is for, and where it ends; null if the claims say neither. */
function readVisit(
  claims: Readonly<Record<string, unknown>>,
  name: 'userId' | 'state',
): { readonly value: string; readonly to: CheckedRedirect } | null {
  const { [name]: value, to } = claims
  if (typeof value !== 'string' || typeof to !== 'string') return null
  return { value, to: to as CheckedRedirect } // it was checked before it was sealed
}
