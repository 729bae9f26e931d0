import { equalInConstantTime } from '#crypto'
import type { ResolvedConfig } from '../config/resolved.ts'
import { clearCookie } from '../http/cookies.ts'
import { type RedirectAnswer, redirect } from '../http/outgoing.ts'
import { type CheckedRedirect, ownSite } from '../steps/choose-redirect.ts'
import type { Incoming } from '../steps/incoming.ts'
import { leaveProvider } from '../steps/leave-provider.ts'
import { logoutCookie } from '../steps/logout-cookies.ts'
import { endpointUrl } from '../steps/page-url.ts'

/** How long a browser may take from one redirect to the next, in seconds. */
const TICKET_MAX_AGE = 60

const TICKET_PURPOSE = 'siteauth.logout-ticket'

/**
 * Where to send somebody whom the application has signed out with a function. What the provider needs is
 * in a cookie that comes along to these endpoints only.
 */
export async function toProviderLogout(
  config: ResolvedConfig,
  { origin }: Incoming,
  userId: string,
  to: CheckedRedirect,
): Promise<string> {
  const sealer = config.sealerFor(TICKET_PURPOSE)
  const ticket = await sealer.seal({ userId, to }, TICKET_MAX_AGE, config.ports.now())
  return `${endpointUrl(config, origin, 'signout/provider')}?ticket=${ticket}`
}

/** `GET signout/provider`: somebody was signed out here, and goes on to the provider. */
export async function goOnToProvider(
  config: ResolvedConfig,
  request: Incoming,
): Promise<RedirectAnswer> {
  const sealer = config.sealerFor(TICKET_PURPOSE)
  const opened = await sealer.open(request.query['ticket'] ?? '', config.ports.now())
  if (typeof opened === 'string') return redirect(ownSite(config, request.origin))
  const { userId, to } = opened.claims as { userId: string; to: CheckedRedirect } // sealed by us
  return leaveProvider(config, request, userId, to)
}

/** `GET signout/return`: the provider sends somebody back who was signed out there. */
export async function returnFromProvider(
  config: ResolvedConfig,
  request: Incoming,
): Promise<RedirectAnswer> {
  const cookie = logoutCookie(config, request, 'siteauth.logout')
  const sealer = config.sealerFor('siteauth.logout')
  const opened = await sealer.open(request.cookies[cookie.name] ?? '', config.ports.now())
  const site = ownSite(config, request.origin)
  if (typeof opened === 'string') return redirect(site)
  const { state, to } = opened.claims as { state: string; to: CheckedRedirect } // sealed by us
  // Anyone can send people here. Only who was sent away from here goes on to where they wanted.
  if (!equalInConstantTime(state, request.query['state'] ?? '')) return redirect(site)
  return redirect(to, [clearCookie(cookie)])
}
