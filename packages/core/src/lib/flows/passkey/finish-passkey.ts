import { InvalidCheck, InvalidRequest } from '../../base/errors.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { clearCookie } from '../../http/cookies.ts'
import type { Outgoing } from '../../http/response.ts'
import type { WebAuthnConfig } from '../../providers/webauthn.ts'
import { readBrowserResponse } from '../../webauthn/browser-response.ts'
import { openChallenge } from '../../webauthn/challenge.ts'
import { sentAttempts } from '../cookies/attempt-slots.ts'
import { isOwnBinding } from '../cookies/browser-binding.ts'
import { requireAttempt } from '../limits/require-attempt.ts'
import { Failure } from '../request/failure.ts'
import type { Incoming } from '../request/incoming.ts'
import { asCallbackError } from '../sign-in/callback-error.ts'
import { startAttempt } from '../sign-in/sign-in-attempt.ts'
import { claimChallenge } from './claim-challenge.ts'
import { registerPasskey } from './register-passkey.ts'
import { signInWithPasskey } from './sign-in-with-passkey.ts'

/** `POST callback` of a WebAuthn provider: a passkey was used, or made. */
export async function finishPasskey(
  config: ResolvedConfig,
  request: Incoming,
  provider: WebAuthnConfig,
): Promise<Outgoing> {
  const attempt = await startAttempt(config)
  await requireAttempt(config, request, { kind: 'callback', provider: provider.id, accounts: [] })
  const { action, data } = request.body as { action?: unknown; data?: unknown }
  if (action !== 'authenticate' && action !== 'register') {
    throw new InvalidRequest('The action field is neither "authenticate" nor "register".')
  }
  const response = readBrowserResponse(data)
  const cookie = request.cookieOptions.webauthnChallenge
  const opened = await openChallenge(
    { challenge: response.challenge, action, provider: provider.id },
    {
      cookieName: cookie.name,
      sent: sentAttempts(request, cookie),
      sealer: config.sealerFor(cookie.name),
      now: config.ports.now(),
    },
  )
  // A challenge can be answered once, whatever comes of it.
  const usedUp = opened.cookieName === null ? [] : [clearCookie(cookie, opened.cookieName)]
  if (!opened.ok)
    throw new Failure(new InvalidCheck(opened.reason, { provider: provider.id }), usedUp)
  try {
    const { challenge } = opened
    if (!(await isOwnBinding(config, request, challenge.browser ?? undefined, cookie.name))) {
      throw new InvalidCheck('The challenge belongs to another browser.', { provider: provider.id })
    }
    claimChallenge(config, challenge.challenge)
    const finish = action === 'register' ? registerPasskey : signInWithPasskey
    const outgoing = await finish(config, request, provider, { attempt, response, challenge })
    return { ...outgoing, cookies: [...usedUp, ...outgoing.cookies] }
  } catch (error) {
    throw new Failure(asCallbackError(error, provider.id), usedUp)
  }
}
