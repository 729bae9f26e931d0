import { logFaults } from '../config/log-faults.ts'
import type { Frame } from '../config/resolved.ts'
import { type AuthError, ErrorPageLoop } from '../errors.ts'
import type { AuthAction, SentRequest } from '../http/incoming.ts'
import { json, type Outgoing, redirect } from '../http/outgoing.ts'
import { pageOrigin } from './page-origin.ts'
import { pageUrl } from './page-url.ts'

/** Nothing works until the configuration does: every request says so, and the log says why. */
export async function reportFaults(
  frame: Frame,
  request: SentRequest,
  action: AuthAction,
  faults: readonly AuthError[],
): Promise<Outgoing> {
  logFaults(frame, faults)
  const isPage = ['signin', 'signout', 'error', 'verify-request'].includes(action)
  if (request.method !== 'GET' || !isPage) return json({ message: faultMessage }, 500)
  const origin = pageOrigin(frame, request)
  const { error: ownPage } = frame.pages
  if (ownPage) {
    const asked = new URL(request.url).searchParams.get('callbackUrl')
    if (!asked?.startsWith(ownPage)) {
      return redirect(pageUrl(frame, origin, 'error', { error: 'Configuration' }))
    }
    frame.logger.error(
      new ErrorPageLoop(
        `The error page ${ownPage} requires visitors to be signed in. Leave it open to everyone.`,
      ),
    )
  }
  const { builtInError } = await import('./show-page.ts')
  const details = faults.flatMap(fault => [`${fault.type}: ${fault.message}`, `See ${fault.help}`])
  return builtInError(frame, origin, request, 'Configuration', details)
}

const faultMessage =
  'There was a problem with the server configuration. Check the server logs for more information.'
