import type { AdapterUser } from '../../base/adapter.ts'
import { InvalidCheck } from '../../base/errors.ts'
import { createStepLogger, namesOf, type StepFacts } from '../../base/step-logger.ts'
import type { Profile } from '../../base/user.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { clearCookie } from '../../http/cookies.ts'
import type { Outgoing } from '../../http/response.ts'
import {
  openTransaction,
  type Transaction,
  transactionError,
} from '../../oauth/authorization/transaction.ts'
import { buildAccount } from '../../oauth/profile/build-account.ts'
import { loadProfile } from '../../oauth/profile/load-profile.ts'
import type { ResolvedOAuthProvider } from '../../oauth/provider/resolve-provider.ts'
import { readable } from '../../oauth/provider-error.ts'
import { callbackParameters, type Exchange, exchangeCode } from '../../oauth/token/exchange-code.ts'
import { sessionLimit } from '../../oauth/token/session-limit.ts'
import { getLinkingUser } from '../../principal/get-linking-user.ts'
import type { OAuthConfig } from '../../providers/oauth.ts'
import type { ProviderSessionKeys } from '../../session/lifetime.ts'
import { sentAttempts } from '../cookies/attempt-slots.ts'
import { isOwnBinding } from '../cookies/browser-binding.ts'
import { requireAttempt } from '../limits/require-attempt.ts'
import { oauthRuntime } from '../provider/oauth-runtime.ts'
import { Failure } from '../request/failure.ts'
import type { Incoming } from '../request/incoming.ts'
import { authorizeSignIn } from '../sign-in/authorize-sign-in.ts'
import { asCallbackError } from '../sign-in/callback-error.ts'
import { completeSignIn } from '../sign-in/complete-sign-in.ts'
import { decideSessionLimits } from '../sign-in/session-limits.ts'
import { resumeAttempt } from '../sign-in/sign-in-attempt.ts'
import { callbackUrlOf, checksOf, transactionCookie } from './start-oauth.ts'

/** `GET callback` and, for answers that are posted as a form, `POST callback` of an OAuth provider. */
export async function finishOAuth(
  config: ResolvedConfig,
  request: Incoming,
  configured: OAuthConfig<Profile>,
): Promise<Outgoing> {
  const callbackUrl = callbackUrlOf(config, request, configured.id)
  const isBehindProxy = configured.redirectProxyUrl || config.redirectProxyUrl
  const forwarded =
    isBehindProxy &&
    (await (
      await import('./forward-response.ts')
    ).forwardResponse(config, request, configured, callbackUrl))
  if (forwarded) return forwarded
  await requireAttempt(config, request, { kind: 'callback', provider: configured.id, accounts: [] })
  const provider = oauthRuntime(config).resolve(configured)
  const { sealerFor, ports } = config
  // Few providers post their answers.
  const posting = provider.formPost ? await import('./posted-response.ts') : null
  const posted = posting && (await posting.readPostedResponse(config, request, provider.id))
  const form = posted?.parameters ?? request.form
  const parameters = callbackParameters(provider, request.url.searchParams, form)
  const tell = createStepLogger(config.logger, provider)
  tell('the visitor is back', {
    parameters: namesOf(new Set(parameters.keys())),
    error: /^[a-z_]{1,40}$/.exec(parameters.get('error') ?? '')?.[0],
  })
  const { cookieOptions } = request
  const opened = await openTransaction(provider, {
    state: parameters.get('state'),
    cookies: request.cookies,
    attempts: sentAttempts(request, cookieOptions.state),
    cookieNames: {
      state: cookieOptions.state.name,
      pkceCodeVerifier: cookieOptions.pkceCodeVerifier.name,
      nonce: cookieOptions.nonce.name,
    },
    redirectUri: callbackUrl,
    sealerFor,
    now: ports.now(),
  })
  const redirectBack =
    opened.ok && (await posting?.storePostedResponse(config, request, provider.id, callbackUrl))
  if (redirectBack) return redirectBack
  // An attempt can be used once, whatever comes of it.
  const cookie = transactionCookie(cookieOptions.state, provider.formPost)
  const usedUp = [
    ...opened.cookiesToClear.map(name => clearCookie(cookie, name)),
    ...(posted?.cookies ?? []),
  ]
  if (!opened.ok) throw new Failure(transactionError(opened.reason, provider.id), usedUp)
  const { id, browser } = opened.transaction
  // Without an id, it has no cookie of ours: Auth.js began it, or nobody.
  const name = id ? cookie.name : undefined
  if (!(await isOwnBinding(config, request, browser, name))) {
    throw new Failure(transactionError('of another browser', provider.id), usedUp)
  }
  tell('this is the browser that began', {
    checks: checksOf(provider),
    isAdding: opened.transaction.addTo !== undefined,
  })
  try {
    const response = await finish(config, request, provider, parameters, opened.transaction)
    return { ...response, cookies: [...usedUp, ...response.cookies] }
  } catch (error) {
    const { returnTo } = opened.transaction
    throw new Failure(asCallbackError(error, provider.id), usedUp, returnTo)
  }
}

async function finish(
  config: ResolvedConfig,
  request: Incoming,
  provider: ResolvedOAuthProvider,
  parameters: URLSearchParams,
  transaction: Transaction,
): Promise<Outgoing> {
  const { servers } = oauthRuntime(config)
  const now = config.ports.now()
  const tell = createStepLogger(config.logger, provider)
  const attempt = await resumeAttempt(config, {
    start: transaction.start,
    issuedAt: transaction.createdAt,
  })
  const addTo = await requireBeginner(config, request, provider, transaction)
  const exchange = await exchangeCode(provider, parameters, transaction, servers, now)
  tell('the code was exchanged for tokens', tokenFacts(exchange))
  const cap = sessionLimit(exchange, now)
  const raw = await loadProfile(provider, exchange, parameters, servers, now, tell)
  const { fetch } = await servers.serverFor(provider)
  const signedIn = await buildAccount(provider, raw, exchange.tokens, fetch)
  const { account, profile, isEmailProven } = signedIn
  tell('the profile was understood', { hasEmail: Boolean(signedIn.user.email), isEmailProven })
  const { adapter } = config
  const linking = adapter && (await import('./link-account.ts'))
  const issuer = linking?.toAccountIssuer(config, provider, exchange.claims)
  const owner =
    adapter && linking && issuer ? await linking.ownerOf(adapter, account, issuer) : null
  const authorization = await authorizeSignIn(config, request, {
    user: owner ?? signedIn.user,
    account,
    profile,
    isEmailProven: Boolean(owner?.emailVerified) || isEmailProven,
  })
  if (authorization.redirect) return authorization.redirect
  const rk = await providerSessionKeys(provider, exchange)
  const limits = { ...(await decideSessionLimits(config, request, transaction.remember, cap)), rk }
  // With a store, the user is a stored one; without, the user as the provider describes it.
  const dpopKey = exchange.key?.jwk
  const identified = { ...signedIn, currentOwner: owner, addTo, limits, dpopKey, attempt }
  const identity =
    adapter && linking && issuer
      ? await linking.linkAccount(config, adapter, request, provider, { ...identified, issuer })
      : ({
          ...signedIn,
          attempt,
          isNewUser: undefined,
          limits,
          dpopKey,
          stillHolds: 'cannot change',
        } as const)
  return completeSignIn(config, request, authorization.approve(identity), transaction.returnTo)
}

/** The keys by which the provider can end the session, if it may. */
async function providerSessionKeys(
  { config, client }: ResolvedOAuthProvider,
  { claims }: Exchange,
): Promise<ProviderSessionKeys | undefined> {
  if (!claims || !(config.backChannelLogout || config.frontChannelLogout)) return undefined
  const { sessionKeys } = await import('../../oauth/logout/session-keys.ts')
  const { iss: issuer, iat, sub } = claims
  // Some have fractions of a second, which a row's name has no room for.
  const at = Math.floor(iat)
  return { at, ...(await sessionKeys(client.client_id, { issuer, sub, sid: claims['sid'] })) }
}

function tokenFacts({ tokens, claims }: Exchange): StepFacts {
  const { token_type, expires_in, scope } = tokens
  return {
    members: namesOf(Object.keys(tokens)),
    tokenType: readable(token_type),
    expiresIn: typeof expires_in === 'number' ? expires_in : undefined,
    scope: readable(scope),
    issuer: readable(claims?.iss),
    claims: claims ? namesOf(Object.keys(claims)) : undefined,
  }
}

/**
 * The user who started an attempt to add an account, if it was one: no one else can finish it. An attempt started
 * while signed out is a sign-in, even if a user is signed in by now.
 */
async function requireBeginner(
  config: ResolvedConfig,
  request: Incoming,
  provider: ResolvedOAuthProvider,
  { addTo }: Transaction,
): Promise<AdapterUser | null> {
  if (addTo === undefined) return null
  const user = await getLinkingUser(config, request)
  if (user && String(user.id) === addTo) return user
  throw new InvalidCheck(
    'The person who wanted to add this account is no longer signed in. Start again.',
    { provider: provider.id },
  )
}
