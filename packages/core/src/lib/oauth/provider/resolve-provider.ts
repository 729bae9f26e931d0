import type * as oauth from 'oauth4webapi'
import type { InvalidEndpoints } from '../../base/errors.ts'
import type { Profile } from '../../base/user.ts'
import {
  type AccountCallback,
  customFetch,
  type OAuthConfig,
  type ProfileCallback,
  type ProfileField,
} from '../../providers/oauth.ts'
import { orInvalid } from '../provider-error.ts'
import { requireClientId, resolveClient } from './client.ts'
import type { ClientFacts } from './client-auth.ts'
import { defaultAccount, defaultProfile, storableAccount } from './default-mapping.ts'
import { type Discovery, resolveDiscovery } from './discovery.ts'
import {
  assertSecureUrls,
  type Endpoints,
  resolveAuthorization,
  resolveEndpoints,
} from './endpoints.ts'
import { type Forwarding, forwardingOf, isFormPost, type RedirectProxy } from './redirect-proxy.ts'

/** Everything about an OAuth or OIDC provider, decided. */
export interface ResolvedOAuthProvider extends Forwarding, Endpoints {
  readonly name: string
  readonly type: 'oauth' | 'oidc'
  /** As the application wrote it, options merged: what hooks receive. */
  readonly config: OAuthConfig<Profile>
  readonly issuer: string | undefined
  /** Undefined if everything that is needed is configured, so that nothing need be asked. */
  readonly discovery: Discovery | undefined
  /** The scopes that the application requests, separated by spaces. Undefined: no scope is sent. */
  readonly scope: string | undefined
  /** The scopes that may be requested in addition, once the user is to agree to more. */
  readonly laterScopes: readonly string[]
  readonly scopeSeparator: string
  /** Whether people who sign out are signed out at the provider, too. */
  readonly endsAtProvider: boolean
  readonly profileFrom: 'id_token' | 'userinfo'
  /** Whether the userinfo endpoint is called if the id_token has neither name nor address. */
  readonly shouldCompleteProfile: boolean
  readonly client: oauth.Client
  readonly clientFacts: ClientFacts
  readonly checks: Readonly<Record<'state' | 'pkce' | 'nonce', boolean>>
  /** The answer comes as a form that is posted from the provider's site. */
  readonly formPost: boolean
  readonly profile: ProfileCallback<Profile>
  readonly account: AccountCallback
  readonly emailVerified: boolean | ProfileField<Profile>
  readonly emailField: ProfileField<Profile>
  /** Whether tokens are bound to a key. */
  readonly dpop: boolean
  readonly fetch: typeof fetch | undefined
}

/**
 * Decides everything about a provider, once. One that cannot work is answered as the error that
 * says why, so that it can be listed and reported and does not take the others down.
 */
export function resolveOAuthProvider(
  config: OAuthConfig<Profile>,
  proxy?: RedirectProxy,
): ResolvedOAuthProvider | InvalidEndpoints {
  return orInvalid(config.id, () => resolve(config, proxy))
}

function resolve(
  config: OAuthConfig<Profile>,
  proxy: RedirectProxy | undefined,
): ResolvedOAuthProvider {
  const clientId = requireClientId(config)
  const { scope, ...authorization } = resolveAuthorization(config)
  const forwarding = forwardingOf(config, authorization.params, proxy)
  const provider = {
    ...forwarding,
    ...resolveClient(config, clientId),
    ...resolveEndpoints(config, authorization),
    name: config.name,
    type: config.type,
    config,
    issuer: config.issuer || undefined,
    scope,
    laterScopes: Object.freeze([...(config.laterScopes ?? [])]),
    scopeSeparator: config.scopeSeparator ?? ' ',
    endsAtProvider: config.logout === 'provider',
    profileFrom:
      config.type === 'oauth' || config.idToken === false
        ? ('userinfo' as const)
        : ('id_token' as const),
    shouldCompleteProfile: config.type === 'oidc' && config.idToken !== true && asksWhoItIs(scope),
    checks: resolveChecks(config, { isProxied: forwarding.proxyCallbackUrl !== undefined }),
    formPost: isFormPost(authorization.params),
    profile: config.profile ?? defaultProfile,
    account: config.account ? storableAccount(config.account) : defaultAccount,
    emailVerified: config.emailVerified ?? 'email_verified',
    emailField: config.emailField ?? 'email',
    dpop: config.dpop === true,
    fetch: config[customFetch],
  }
  const resolved = { ...provider, discovery: resolveDiscovery(provider) }
  assertSecureUrls(urlsOf(resolved), { allowInsecure: resolved.allowInsecureRequests })
  return Object.freeze(resolved)
}

/** The URLs that are requested or redirected to, by the names of their options. */
function urlsOf(provider: ResolvedOAuthProvider): Readonly<Record<string, string | undefined>> {
  return {
    authorization: provider.authorization.url,
    token: provider.token.url,
    userinfo: provider.userinfo.url,
    jwks_endpoint: provider.jwksUri,
    endSession: provider.endSession.url,
    revocation: provider.revocationUrl,
    discovery: provider.discovery?.url,
    redirectProxyUrl: provider.proxyCallbackUrl,
  }
}

/** OIDC Core §5.4: who asks for neither of these scopes wants to know no more than the id. */
function asksWhoItIs(scope = ''): boolean {
  return /(?:^|\s)(?:profile|email)(?:\s|$)/.test(scope)
}

function resolveChecks(
  { checks, type }: OAuthConfig<Profile>,
  { isProxied }: { readonly isProxied: boolean },
): ResolvedOAuthProvider['checks'] {
  const wanted = checks ?? ['state', 'pkce', ...(type === 'oidc' ? ['nonce'] : [])]
  const pkce = wanted.includes('pkce')
  // Without an id_token nothing would bring the nonce back: state must do what it was meant to do.
  const nonce = wanted.includes('nonce') && type === 'oidc'
  const state = wanted.includes('state') || (wanted.includes('nonce') && !nonce && !pkce)
  // The proxy learns from the state where to send the answer.
  return Object.freeze({ state: state || isProxied, pkce, nonce })
}
