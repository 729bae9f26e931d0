import { SignOutError } from '../base/errors.ts'
import { type ResolvedConfig, siteOf } from '../config/resolved.ts'
import type { Incoming } from '../http/incoming.ts'
import { type Outgoing, redirect } from '../http/outgoing.ts'
import { clearSession, markChange } from '../http/store-session.ts'
import { type CheckedRedirect, chooseReturn, ownSite } from '../steps/choose-redirect.ts'
import { Failure } from '../steps/failure.ts'
import { findOwnSession, tokensBeside } from '../steps/settle-session.ts'

/** `POST signout` */
export async function signOut(config: ResolvedConfig, request: Incoming): Promise<Outgoing> {
  const site = siteOf(config, request.origin)
  const to = await whereTo(config, request)
  const header = request.headers.get('cookie')
  const arrived = await findOwnSession(site.sessions, header, site.cookies.sessionToken.name)
  if (!arrived) return redirect(to)
  const cookie = site.cookies.sessionToken
  // The visitor wants to leave: the cookie goes, whatever the store says.
  const cookies = [
    ...clearSession(cookie, arrived.names),
    markChange(cookie, config.ports.randomHex),
  ]
  try {
    const ended = await site.sessions.revoke(arrived.token)
    // One that was planted in front of the real one must not be left in its stead.
    for (const other of tokensBeside(header, cookie.name, arrived)) {
      if ((await site.sessions.userIdOf(other)) !== null) await site.sessions.revoke(other)
    }
    // The event's type says one or the other, as does what ended.
    await config.events.signOut?.(ended)
  } catch (cause) {
    // A copy of the cookie still works, so nobody is told that all is well.
    throw new Failure(new SignOutError('The session could not be ended.', { cause }), cookies)
  }
  return redirect(to, cookies)
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
