import type { SignInParams } from '../../base/callbacks.ts'
import {
  AccessDenied,
  type AuthError,
  CallbackRouteError,
  InvalidCheck,
  isAuthError,
  SignOutError,
} from '../../base/errors.ts'
import { tellerOf } from '../../base/step-logger.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { isForeignRequest } from '../../csrf/foreign-request.ts'
import { clearCookie, type SetCookie } from '../../http/cookies.ts'
import { findSession } from '../../http/find-session-cookie.ts'
import { type RedirectAnswer, redirect } from '../../http/response.ts'
import { clearSession, markChange, storeSession } from '../../http/write-session-cookie.ts'
import type { IssuedSession, ProvenIdentity } from '../../session/store.ts'
import { forgetTyped } from '../cookies/form-values.ts'
import { rememberProvider } from '../cookies/last-provider.ts'
import { clearTokenError } from '../cookies/token-error.ts'
import { pageUrl } from '../request/endpoint-url.ts'
import type { Incoming } from '../request/incoming.ts'
import { chooseReturn, ownRedirect, rememberReturn } from '../request/return-url.ts'
import { saysRemember, sessionTerms } from './session-terms.ts'

/** How every way to sign in ends: the session starts, and the visitor continues. */
export async function completeSignIn(
  config: ResolvedConfig,
  request: Incoming,
  identity: ProvenIdentity,
  returnTo?: string,
): Promise<RedirectAnswer> {
  const { origin } = request
  const { sessions } = request
  const callbackUrl = await chooseReturn(config, request, returnTo) // may fail: before anything has happened
  const terms = identity.terms ?? (await sessionTerms(config, request, saysRemember(request.body)))
  const details =
    identity.details ?? (await config.describeSession?.(request, identity.account.provider))
  const issued = await sessions.issue({ ...identity, terms, details })
  if (identity.stillHolds && !(await identity.stillHolds())) {
    if (issued) await sessions.revoke(issued.token)
    throw new InvalidCheck(
      'The account was removed from its user while someone was signing in with it.',
    )
  }
  await endEarlierSession(config, request)
  const { user, account, profile, isNewUser } = identity
  await config.events.signIn?.({
    user,
    account,
    ...(profile && { profile }),
    ...(account.type !== 'credentials' && { isNewUser: isNewUser as boolean }), // the key is always there
  })
  const tell = tellerOf(config.logger, { id: account.provider, type: account.type })
  tell(issued ? 'the session has begun' : 'the jwt callback wants no session', {
    strategy: config.strategy,
    isNewUser,
  })
  const to =
    isNewUser && config.pages.newUser
      ? pageUrl(config, origin, 'newUser', { callbackUrl })
      : callbackUrl
  return redirect(to, [
    ...sessionCookies(request, issued),
    ...(await hintCookies(config, request, identity, issued)),
    ...clearTokenError(request),
    ...(config.keepsTokens ? await tokenCookies(config, request, identity, issued) : []),
    ...forgetReturn(request),
    ...forgetTyped(request),
    ...(await knownCookies(config, request, { ...identity, terms })),
    ...(issued ? rememberProvider(config, request, { ...identity, terms }) : []),
    markChange(request.cookieOptions.sessionToken, config.ports.randomHex),
  ])
}

/** So that whoever guesses at this account keeps nobody out who has been in it. */
async function knownCookies(
  config: ResolvedConfig,
  request: Incoming,
  identity: ProvenIdentity,
): Promise<readonly SetCookie[]> {
  if (!config.limits) return []
  const { rememberBrowser } = await import('../cookies/known-browser.ts')
  return rememberBrowser(config, request, identity)
}

/**
 * Asks the application whether someone may sign in. Returns null if so, or where to send the
 * visitor instead.
 */
export async function askApplication(
  config: ResolvedConfig,
  request: Incoming,
  params: SignInParams,
): Promise<RedirectAnswer | null> {
  const { signIn } = config.callbacks
  if (!signIn) return null
  const answer = await refusalOnThrow(() => signIn(params))
  if (!answer) throw new AccessDenied('The signIn callback refused.')
  if (answer === true) return null
  if (typeof answer !== 'string') {
    throw new CallbackRouteError(
      `The signIn callback returned a value of type ${typeof answer}. Return true to let people in, ` +
        'false to refuse them, or a path or a URL to send them to.',
    )
  }
  const to = ownRedirect(request.origin, answer)
  if (!to) {
    throw new CallbackRouteError(
      `The signIn callback returned ${JSON.stringify(answer)}, which is neither a path nor a URL.`,
    )
  }
  // After the detour, the visitor continues to where the sign-in would have led.
  const wish = await chooseReturn(config, request)
  return redirect(to, rememberReturn(config, request, wish))
}

/** What went wrong while someone was signing in, as an error of ours that names the provider. */
export function asCallbackError(error: unknown, provider: string): AuthError {
  if (isAuthError(error)) return error
  return new CallbackRouteError(`The sign-in with "${provider}" failed.`, {
    ...(error instanceof Error ? { err: error } : { reason: textOf(error) }),
    provider,
  })
}

/** What someone threw that is not an error, in words. */
function textOf(thrown: unknown): string {
  try {
    return String(thrown)
  } catch {
    return 'something that cannot be described'
  }
}

async function refusalOnThrow<T>(ask: () => T | PromiseLike<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (isAuthError(error)) throw error
    const message = error instanceof Error ? error.message : textOf(error)
    throw new AccessDenied(message, { cause: error })
  }
}

async function endEarlierSession(config: ResolvedConfig, request: Incoming): Promise<void> {
  try {
    const earlier = await request.arrivedSession()
    if (earlier) await request.sessions.endReplaced(earlier.token)
  } catch (error) {
    config.logger.error(
      new SignOutError('The earlier session could not be ended.', { cause: error }),
    )
  }
}

function sessionCookies(request: Incoming, issued: IssuedSession | null): readonly SetCookie[] {
  const { sessionToken } = request.cookieOptions
  const arrived = findSession(request.headers.get('cookie'), sessionToken.name)?.names ?? []
  return issued ? storeSession(sessionToken, issued, arrived) : clearSession(sessionToken, arrived)
}

/** Whoever signed in some other way is not to be signed out at the provider of an earlier session. */
async function hintCookies(
  config: ResolvedConfig,
  request: Incoming,
  identity: ProvenIdentity,
  issued: IssuedSession | null,
): Promise<readonly SetCookie[]> {
  if (!config.endsAtProviders || identity.isContinued) return []
  const { keepHint, mayHaveHint } = await import('../cookies/logout-hint.ts')
  try {
    const cookies = await keepHint(config, request, identity, issued)
    const isKept = cookies.some(({ value }) => value !== '')
    return isKept || mayHaveHint(request) || isWithoutCookies(request) ? cookies : []
  } catch (cause) {
    const message = 'The sign-in succeeded, but signing out will not reach the provider.'
    config.logger.error(new SignOutError(message, { cause }))
    return []
  }
}

async function tokenCookies(
  config: ResolvedConfig,
  request: Incoming,
  identity: ProvenIdentity,
  issued: IssuedSession | null,
): Promise<readonly SetCookie[]> {
  const { keepTokens, clearTokens } = await import('../account/cookie-token.ts')
  return issued ? keepTokens(config, request, identity, issued) : clearTokens(request)
}

/** The wish has been granted: the next sign-in starts without it. */
function forgetReturn(request: Incoming): readonly SetCookie[] {
  const { callbackUrl } = request.cookieOptions
  const isThere = isWithoutCookies(request) || request.cookies[callbackUrl.name] !== undefined
  return isThere ? [clearCookie(callbackUrl)] : []
}

/** A form that another site posts comes without cookies, which are there all the same. */
function isWithoutCookies({ method, headers, origin }: Incoming): boolean {
  return method === 'POST' && isForeignRequest(headers, origin, [])
}
