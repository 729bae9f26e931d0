import { createStepLogger, namesOf } from '../../base/step-logger.ts'
import type { Profile } from '../../base/user.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { type CookieOption, setCookie } from '../../http/cookies.ts'
import { type OutgoingRedirect, redirect } from '../../http/response.ts'
import { chooseRedirectUri } from '../../oauth/authorization/choose-redirect-uri.ts'
import { requestAuthorization } from '../../oauth/authorization/request-authorization.ts'
import { createTransaction, sealTransaction } from '../../oauth/authorization/transaction.ts'
import type { ResolvedOAuthProvider } from '../../oauth/provider/resolve-provider.ts'
import { withoutQuery } from '../../oauth/secure-url.ts'
import type { OAuthConfig } from '../../providers/oauth.ts'
import { attemptsWith, chooseSlot } from '../cookies/attempt-slots.ts'
import { browserBinding } from '../cookies/browser-binding.ts'
import { findLinkingUser } from '../cookies/reauthentication.ts'
import { oauthRuntime } from '../provider/oauth-runtime.ts'
import { endpointUrl } from '../request/endpoint-url.ts'
import type { Incoming } from '../request/incoming.ts'
import { chooseReturn, isBrief, rememberReturn } from '../request/return-url.ts'
import { saysRemember } from '../sign-in/session-limits.ts'
import { readIssueTime } from '../sign-in/sign-in-attempt.ts'

/** `POST signin` with an OAuth provider: sends the visitor there, and remembers why. */
export async function startOAuth(
  config: ResolvedConfig,
  request: Incoming,
  configured: OAuthConfig<Profile>,
): Promise<OutgoingRedirect> {
  const { servers, resolve } = oauthRuntime(config)
  const provider = resolve(configured)
  const { sealerFor, ports } = config
  const now = ports.now()
  const target = chooseRedirectUri(provider, callbackUrlOf(config, request, provider.id))
  const adding = await findLinkingUser(config, request)
  const { value: browser, cookies: marking } = await browserBinding(config, request)
  const returnTo = await chooseReturn(config, request)
  const begun = await createTransaction(
    provider,
    {
      ...target,
      returnTo: isBrief(returnTo) ? returnTo : undefined,
      browser,
      addTo: adding ? String(adding.id) : undefined,
      remember: saysRemember(request.body),
      start: await readIssueTime(config),
      slot: await chooseSlot(config, request, 'state', attemptsWith(returnTo)),
    },
    { sealerFor, randomHex: ports.randomHex, now },
  )
  const { callbackUrl: _, ...visitor } = request.query
  const { url, transaction } = await requestAuthorization(
    provider,
    begun,
    { visitor },
    servers,
    now,
  )
  createStepLogger(config.logger, provider)('the visitor is sent to the provider', {
    endpoint: withoutQuery(url),
    redirectUri: transaction.redirectUri,
    scope: provider.scope,
    checks: checksOf(provider),
    parameters: namesOf(new Set(url.searchParams.keys())),
    isAdding: adding !== null,
  })
  const { state } = request.cookieOptions
  const sealed = await sealTransaction(transaction, {
    cookieName: state.name,
    formPost: provider.formPost,
    sealerFor,
    now,
  })
  const cookie = transactionCookie(state, provider.formPost)
  return redirect(url.href, [
    ...marking,
    ...(isBrief(returnTo) ? [] : rememberReturn(config, request, returnTo)),
    setCookie({ ...cookie, name: sealed.name }, sealed.value, {
      maxAge: sealed.maxAge,
      expires: new Date(now + sealed.maxAge * 1000),
    }),
  ])
}

/** The checks of the response. */
export function checksOf({ checks }: Pick<ResolvedOAuthProvider, 'checks'>): readonly string[] {
  return (['state', 'pkce', 'nonce'] as const).filter(each => checks[each])
}

/** Where a provider sends people back to. */
export function callbackUrlOf(config: ResolvedConfig, { origin }: Incoming, id: string): string {
  return endpointUrl(config, origin, `callback/${encodeURIComponent(id)}`)
}

/** A form that is posted from another site brings only cookies that were made for that. */
export function transactionCookie(state: CookieOption, formPost: boolean): CookieOption {
  return formPost
    ? { ...state, options: { ...state.options, sameSite: 'none', secure: true } }
    : state
}
