import { type ResolvedConfig, siteOf } from '../config/resolved.ts'
import { InvalidCheck } from '../errors.ts'
import { clearCookie } from '../http/cookies.ts'
import type { Incoming } from '../http/incoming.ts'
import { type Outgoing, redirect } from '../http/outgoing.ts'
import { lazily } from '../lazily.ts'
import type { AdapterUser, Profile } from '../model.ts'
import { buildAccount, type SignedIn } from '../oauth/build-account.ts'
import { callbackParameters, exchangeCode } from '../oauth/exchange-code.ts'
import { loadProfile } from '../oauth/load-profile.ts'
import type { ResolvedOAuthProvider } from '../oauth/resolve-provider.ts'
import {
  openTransaction,
  STATE_PURPOSE,
  type Transaction,
  transactionError,
} from '../oauth/transaction.ts'
import type { OAuthConfig } from '../providers/oauth.ts'
import type { ProvenIdentity } from '../session/store.ts'
import { asCallbackError, askApplication, completeSignIn } from './complete-sign-in.ts'
import { Failure } from './failure.ts'
import { oauthRuntime } from './oauth-runtime.ts'
import { callbackUrlOf, transactionCookie } from './start-oauth.ts'

/** `GET callback` and, for answers that are posted as a form, `POST callback` of an OAuth provider. */
export async function finishOAuth(
  config: ResolvedConfig,
  request: Incoming,
  configured: OAuthConfig<Profile>,
): Promise<Outgoing> {
  const provider = oauthRuntime(config).resolve(configured)
  const { sealerFor, ports } = config
  const callbackUrl = callbackUrlOf(config, request, provider.id)
  const posted = provider.formPost
    ? await posting(({ postedAnswer }) => postedAnswer(config, request, provider.id))
    : null
  const form = posted?.parameters ?? request.form
  const parameters = callbackParameters(provider, request.url.searchParams, form)
  const sealer = sealerFor(STATE_PURPOSE)
  const answered = { parameters, callbackUrl, sealer, now: ports.now() }
  const hop =
    provider.proxyCallbackUrl &&
    (await proxying(({ decideProxyHop }) => decideProxyHop(provider, answered)))
  if (hop && hop.do === 'forward') return redirect(hop.to)
  if (hop && hop.do === 'refuse') throw new InvalidCheck(hop.why, { provider: provider.id })

  const { cookies } = siteOf(config, request.origin)
  const opened = await openTransaction(provider, {
    state: parameters.get('state'),
    cookies: request.cookies,
    cookieNames: {
      state: cookies.state.name,
      pkceCodeVerifier: cookies.pkceCodeVerifier.name,
      nonce: cookies.nonce.name,
    },
    redirectUri: callbackUrl,
    sealerFor,
    now: ports.now(),
  })
  const kept =
    opened.ok &&
    provider.formPost &&
    (await posting(({ keepAnswer }) => keepAnswer(config, request, provider.id, callbackUrl)))
  if (kept) return kept
  // An attempt can be used once, whatever comes of it.
  const cookie = transactionCookie(cookies.state, provider.formPost)
  const usedUp = [
    ...opened.cookiesToClear.map(name => clearCookie(cookie, name)),
    ...(posted?.cookies ?? []),
  ]
  if (!opened.ok) throw new Failure(transactionError(opened.why, provider.id), usedUp)
  try {
    const answer = await finish(config, request, provider, parameters, opened.transaction)
    return { ...answer, cookies: [...usedUp, ...answer.cookies] }
  } catch (error) {
    const { returnTo } = opened.transaction
    throw new Failure(asCallbackError(error, provider.id), usedUp, returnTo)
  }
}

const posting = lazily(() => import('./posted-answer.ts'))
const proxying = lazily(() => import('../oauth/proxy-hop.ts'))

async function finish(
  config: ResolvedConfig,
  request: Incoming,
  provider: ResolvedOAuthProvider,
  parameters: URLSearchParams,
  transaction: Transaction,
): Promise<Outgoing> {
  const { servers } = oauthRuntime(config)
  const now = config.ports.now()
  const exchange = await exchangeCode(provider, parameters, transaction, servers, now)
  const raw = await loadProfile(provider, exchange, parameters, servers, now)
  const { fetch } = await servers.serverFor(provider)
  const signedIn = await buildAccount(provider, raw, exchange.tokens, fetch)
  const { account, profile } = signedIn
  const { provider: id, providerAccountId } = account
  const known = await config.adapter?.getUserByAccount?.({ provider: id, providerAccountId })
  const elsewhere = await askApplication(config, request, {
    user: known ?? signedIn.user,
    account,
    profile,
  })
  if (elsewhere) return elsewhere
  const identity = await identify(config, request, provider, signedIn, known ?? null)
  return completeSignIn(config, request, identity, transaction.returnTo)
}

const storing = lazily(() => import('./link-account.ts'))

/** With a store, the user is one of its; without, the user is who the provider says. */
async function identify(
  config: ResolvedConfig,
  request: Incoming,
  provider: ResolvedOAuthProvider,
  signedIn: SignedIn,
  userByAccount: AdapterUser | null,
): Promise<ProvenIdentity> {
  const { adapter } = config
  if (!adapter) return { ...signedIn, isNewUser: undefined }
  return storing(({ linkAccount }) =>
    linkAccount(config, adapter, request, provider, signedIn, userByAccount),
  )
}
