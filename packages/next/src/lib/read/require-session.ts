import { AccessDenied } from '@siteauth/core/errors'
import type { RequireSessionOptions } from '@siteauth/core/integration'
import {
  assertGuardOptions,
  type CheckedSession,
  decideAccess,
  isAllowed,
} from '@siteauth/core/internal'
import type { Settings } from '../config/settings.ts'
import { forbidden } from '../current-request.ts'
import { pageSession } from './page-session.ts'
import type { SessionReader } from './session-reader.ts'

type Session = NonNullable<CheckedSession['session']>

/**
 * Returns the session of the current request if its user may pass. Ends the render, the action or the route handler
 * otherwise, by throwing.
 */
export async function requireSession(
  settings: Settings,
  reader: SessionReader,
  options: RequireSessionOptions<Session> = {},
): Promise<Session> {
  if ('except' in options) throw new TypeError(EXCEPT)
  assertGuardOptions(options, ['redirectTo', 'allow'])
  const { redirectTo, allow } = options
  const session = await pageSession(settings, reader, [])
  const allowed = session ? await isAllowed(session, allow) : false
  const decision = decideAccess(session, { allowed })
  if (decision === 'allow') return session as Session // nobody passes without one
  if (decision === 'forbidden') throw forbidden() ?? new AccessDenied(NOT_ALLOWED)
  // Loaded late, because most visitors of such a page are signed in.
  const { signInRedirection } = await import('../calls/server-calls.ts')
  throw await signInRedirection(settings, redirectTo)
}

const EXCEPT =
  'The option except is for the middleware form of requireSession, which Next does not have: callbacks.authorized decides ' +
  'in the proxy. A guard that is called exempts nothing: do not call it in the pages that everybody may see.'

const NOT_ALLOWED =
  'The option allow of requireSession has rejected the user. Catch this error, or set experimental.authInterrupts in ' +
  'next.config: Next then answers with 403 and shows forbidden.tsx.'
