import { type ResolvedConfig, siteOf } from '../config/resolved.ts'
import { SignOutError } from '../errors.ts'
import { markChange } from '../http/change-marker.ts'
import type { Incoming } from '../http/incoming.ts'
import { type Outgoing, redirect } from '../http/outgoing.ts'
import { findSession } from '../http/session-cookie.ts'
import { clearSession } from '../http/store-session.ts'
import { type CheckedRedirect, chooseReturn, ownSite } from './choose-redirect.ts'

/** `POST signout` */
export async function signOut(config: ResolvedConfig, request: Incoming): Promise<Outgoing> {
  const site = siteOf(config, request.origin)
  const to = await whereTo(config, request)
  const arrived = findSession(request.headers.get('cookie'), site.cookies.sessionToken.name)
  if (!arrived) return redirect(to)
  try {
    const ended = await site.sessions.revoke(arrived.token)
    // The event's type says one or the other, as does what ended.
    await config.events.signOut?.(ended)
  } catch (error) {
    // The visitor wants to leave: the cookie goes, whatever the store says.
    config.logger.error(new SignOutError('The session could not be ended.', { cause: error }))
  }
  const cookie = site.cookies.sessionToken
  return redirect(to, [
    ...clearSession(cookie, arrived.names),
    markChange(cookie, config.ports.randomHex),
  ])
}

async function whereTo(config: ResolvedConfig, request: Incoming): Promise<CheckedRedirect> {
  try {
    return await chooseReturn(config, request)
  } catch (error) {
    // Nor does a fault of the application keep anybody from leaving.
    config.logger.error(new SignOutError('The redirect callback failed.', { cause: error }))
    return ownSite(config, request.origin)
  }
}
