import { SignOutError } from '../../base/errors.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { isForeignRequest } from '../../csrf/foreign-request.ts'
import { clearCookie, type SetCookie } from '../../http/cookies.ts'
import { markChange } from '../../http/write-session-cookie.ts'
import { endedSessionCookies, newSessionCookies } from '../../principal/session-cookies.ts'
import { formValuesCookie } from '../cookies/form-values.ts'
import { rememberProvider } from '../cookies/last-provider.ts'
import { clearReauthentication } from '../cookies/reauthentication.ts'
import { clearTokenError } from '../cookies/token-error.ts'
import type { Incoming } from '../request/incoming.ts'
import { readIssueTimeFor } from './sign-in-attempt.ts'
import type { StartedSession } from './start-session.ts'

/** Returns every cookie that a sign-in sets or removes. `signOutCookies` has those of a sign-out. */
export async function signInCookies(
  config: ResolvedConfig,
  request: Incoming,
  started: StartedSession,
): Promise<readonly SetCookie[]> {
  const { identity, issued } = started
  return [
    ...(issued
      ? await newSessionCookies(config, request, issued)
      : endedSessionCookies(config, request)),
    ...clearReauthentication(request),
    ...(await logoutHintCookies(config, request, started)),
    ...clearTokenError(request),
    ...(await providerTokenCookies(config, request, started)),
    ...returnUrlCookies(request),
    ...formValuesCookie.clear(request),
    ...(await knownBrowserCookies(config, request, started)),
    ...(issued ? rememberProvider(config, request, identity) : []),
    markChange(request.cookieOptions.sessionToken, config.ports.randomHex),
  ]
}

/** A user who signs in by other means is not to be signed out at the provider of an earlier session. */
async function logoutHintCookies(
  config: ResolvedConfig,
  request: Incoming,
  { identity, issued }: StartedSession,
): Promise<readonly SetCookie[]> {
  if (!config.endsAtProviders || identity.isContinued) return []
  const { keepHint, mayHaveHint } = await import('../cookies/logout-hint.ts')
  try {
    const cookies = await keepHint(config, request, identity, issued)
    const isStored = cookies.some(({ value }) => value !== '')
    return isStored || mayHaveHint(request) || isWithoutCookies(request) ? cookies : []
  } catch (cause) {
    const message = 'The sign-in succeeded, but signing out will not reach the provider.'
    config.logger.error(new SignOutError(message, { cause }))
    return []
  }
}

async function providerTokenCookies(
  config: ResolvedConfig,
  request: Incoming,
  { identity, issued }: StartedSession,
): Promise<readonly SetCookie[]> {
  if (!config.keepsTokens) return []
  const { keepTokens, clearTokens } = await import('../cookies/provider-tokens.ts')
  return issued ? keepTokens(config, request, identity, issued) : clearTokens(request)
}

/** The return URL has been used: the next sign-in starts without one. */
function returnUrlCookies(request: Incoming): readonly SetCookie[] {
  const { callbackUrl } = request.cookieOptions
  const isSet = isWithoutCookies(request) || request.cookies[callbackUrl.name] !== undefined
  return isSet ? [clearCookie(callbackUrl)] : []
}

/** Guessing must not lock out browsers that have signed in to an account before. */
async function knownBrowserCookies(
  config: ResolvedConfig,
  request: Incoming,
  { identity }: StartedSession,
): Promise<readonly SetCookie[]> {
  if (!config.limits) return []
  const { rememberBrowser } = await import('../cookies/known-browser.ts')
  return rememberBrowser(config, request, identity, userId => readIssueTimeFor(config, userId))
}

/** A form that another site posts comes without cookies, although the browser has them. */
function isWithoutCookies({ method, headers, origin }: Incoming): boolean {
  return method === 'POST' && isForeignRequest(headers, origin, [])
}
