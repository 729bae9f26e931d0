import { SignOutError } from '../../base/errors.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { isForeignRequest } from '../../csrf/foreign-request.ts'
import { clearCookie, type SetCookie } from '../../http/cookies.ts'
import { changeSignal } from '../../http/fixed-cookies.ts'
import { endedSessionCookies, newSessionCookies } from '../../principal/session-cookies.ts'
import type { NewSession, ProvenIdentity } from '../../session/store.ts'
import type { Incoming } from '../request/incoming.ts'
import { formValuesCookie } from './form-values.ts'
import { rememberProvider } from './last-provider.ts'
import { clearReauthentication } from './reauthentication.ts'
import { clearTokenError } from './token-error.ts'

/** The facts about the session of a sign-in that cookies need. */
interface SessionStart {
  readonly identity: ProvenIdentity
  /** Null if there is no session. */
  readonly issued: NewSession | null
  /** Returns the earliest time of a revocation that ends the sign-in; undefined if revocations are not recorded. */
  readTime(userId: string): Promise<number | undefined>
}

/** Returns every cookie that a sign-in sets or removes. `signOutCookies` has those of a sign-out. */
export async function signInCookies(
  config: ResolvedConfig,
  request: Incoming,
  started: SessionStart,
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
    changeSignal(request.cookieOptions.sessionToken, config.ports.randomHex),
  ]
}

/** A user who signs in by other means is not to be signed out at the provider of an earlier session. */
async function logoutHintCookies(
  config: ResolvedConfig,
  request: Incoming,
  { identity, issued }: SessionStart,
): Promise<readonly SetCookie[]> {
  if (!config.endsAtProviders || identity.isContinued) return []
  const { storeHint, mayHaveHint } = await import('./logout-hint.ts')
  try {
    const cookies = await storeHint(config, request, identity, issued)
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
  { identity, issued }: SessionStart,
): Promise<readonly SetCookie[]> {
  if (!config.storesTokens) return []
  const { storeTokens, clearTokens } = await import('./provider-tokens.ts')
  return issued ? storeTokens(config, request, identity, issued) : clearTokens(request)
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
  { identity, readTime }: SessionStart,
): Promise<readonly SetCookie[]> {
  if (!config.limits) return []
  const { rememberBrowser } = await import('./known-browser.ts')
  return rememberBrowser(config, request, identity, readTime)
}

/** A form that another site posts comes without cookies, although the browser has them. */
function isWithoutCookies({ method, headers, origin }: Incoming): boolean {
  return method === 'POST' && isForeignRequest(headers, origin, [])
}
