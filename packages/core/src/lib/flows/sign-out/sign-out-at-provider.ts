import { SignOutError } from '../../base/errors.ts'
import { createStepLogger, namesOf } from '../../base/step-logger.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { PURPOSES } from '../../crypto/purposes.ts'
import { type SetCookie, setCookie } from '../../http/cookies.ts'
import { type OutgoingRedirect, redirect } from '../../http/response.ts'
import { endSessionUrl } from '../../oauth/logout/end-session-url.ts'
import type { LogoutHint } from '../../oauth/logout/logout-hint.ts'
import { revokeToken } from '../../oauth/logout/revoke-token.ts'
import type { ResolvedOAuthProvider } from '../../oauth/provider/resolve-provider.ts'
import { logoutEndpoint, type Server, serverIdentity } from '../../oauth/provider/server.ts'
import { withoutQuery } from '../../oauth/secure-url.ts'
import { clearHint, logoutCookie, logoutProvider, readHint } from '../cookies/logout-hint.ts'
import { oauthRuntime } from '../provider/oauth-runtime.ts'
import { endpointUrl } from '../request/endpoint-url.ts'
import type { Incoming } from '../request/incoming.ts'
import type { CheckedRedirect } from '../request/return-url.ts'
import { currentToken } from './current-token.ts'

/** How long people may take to sign out at the provider, in seconds. */
const LOGOUT_MAX_AGE = 15 * 60

/** How long a user who leaves waits for the provider. In milliseconds. */
const TIMEOUT = 3000

/**
 * Redirects a user who was signed out here to their provider, to be signed out there as well; or to the return URL,
 * if no provider takes part, or it does not respond. Never fails: the user has already been signed out here.
 */
export async function leaveProvider(
  config: ResolvedConfig,
  request: Incoming,
  userId: string | null,
  to: CheckedRedirect,
): Promise<OutgoingRedirect> {
  const hint = userId === null ? null : await readHint(config, request, userId)
  if (!hint) return redirect(to)
  const forgotten = clearHint(config, request)
  const onward = await tryToLeave(config, request, hint, to)
  return onward ? redirect(onward.url, [...forgotten, onward.cookie]) : redirect(to, forgotten)
}

/** The URL at the provider, and the cookie by which the way back is known. */
interface Onward {
  readonly url: string
  readonly cookie: SetCookie
}

async function tryToLeave(
  config: ResolvedConfig,
  request: Incoming,
  hint: LogoutHint,
  to: CheckedRedirect,
): Promise<Onward | null> {
  const deadline = startDeadline()
  try {
    const configured = logoutProvider(config, hint.provider)
    const { servers, resolve } = oauthRuntime(config)
    const provider = configured && resolve(configured)
    if (!provider || serverIdentity(provider) !== hint.server) return null
    const server = await deadline.lasts(servers.serverFor(provider))
    const [url] = await Promise.all([
      leaveFor(config, request, provider, server, hint, to),
      revoke(config, request, provider, server, hint, deadline),
    ])
    return url
  } catch (error) {
    report(config, hint, 'The visitor is signed out here, but not', error)
    return null
  } finally {
    deadline.stop()
  }
}

async function leaveFor(
  config: ResolvedConfig,
  request: Incoming,
  provider: ResolvedOAuthProvider,
  server: Server,
  { idToken }: LogoutHint,
  to: CheckedRedirect,
): Promise<Onward | null> {
  const endpoint = logoutEndpoint(provider, server, 'end_session_endpoint')
  if (!endpoint) return null
  const { ports } = config
  const state = ports.randomHex(16)
  const returnUri = endpointUrl(config, request.origin, 'signout/return')
  const url = endSessionUrl(provider, endpoint, { idToken, returnUri, state })
  createStepLogger(config.logger, provider)('the visitor is sent to the provider to sign out', {
    endpoint: withoutQuery(url),
    redirectUri: returnUri,
    parameters: namesOf(new Set(url.searchParams.keys())),
  })
  const sealer = config.sealerFor(PURPOSES.logoutState)
  const sealed = await sealer.seal({ state, to }, LOGOUT_MAX_AGE, ports.now())
  const cookie = logoutCookie(config, request, 'siteauth.logout')
  return { url: url.href, cookie: setCookie(cookie, sealed, { maxAge: LOGOUT_MAX_AGE }) }
}

/** As well as it can be done: a token that is not revoked expires. */
async function revoke(
  config: ResolvedConfig,
  request: Incoming,
  provider: ResolvedOAuthProvider,
  server: Server,
  hint: LogoutHint,
  deadline: Deadline,
): Promise<void> {
  try {
    const endpoint = logoutEndpoint(provider, server, 'revocation_endpoint')
    if (!endpoint) return
    const token = await deadline.lasts(currentToken(config, request, provider, hint))
    if (!token) return
    await deadline.lasts(revokeToken(provider, server, endpoint, token, config.ports.now()))
  } catch (error) {
    report(config, hint, 'The tokens were not revoked', error)
  }
}

function report(config: ResolvedConfig, hint: LogoutHint, what: string, cause: unknown): void {
  const { provider } = hint
  config.logger.error(new SignOutError(`${what} at ${JSON.stringify(provider)}.`, { cause }))
}

/** For all that is asked of a provider, one after the other. */
interface Deadline {
  /** The result; rejects if it has not come when the time is up. */
  lasts<Result>(result: Promise<Result>): Promise<Result>
  stop(): void
}

function startDeadline(): Deadline {
  let timer: ReturnType<typeof setTimeout> | undefined
  const over = new Promise<never>((_, reject) => {
    const end = () => reject(new Error(`It did not respond within ${TIMEOUT} ms.`))
    timer = setTimeout(end, TIMEOUT)
  })
  over.catch(() => {}) // handled by the caller that waits
  return {
    lasts: result => Promise.race([result, over]),
    stop: () => clearTimeout(timer),
  }
}
