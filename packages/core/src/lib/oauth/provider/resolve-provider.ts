import type * as oauth from 'oauth4webapi'
import { InvalidEndpoints } from '../../base/errors.ts'
import type { Profile, User } from '../../base/model.ts'
import { providerVariable } from '../../providers/complete-provider.ts'
import {
  type AccountCallback,
  type AuthorizationEndpointHandler,
  customFetch,
  type EndSessionEndpointHandler,
  type OAuthConfig,
  type ProfileCallback,
  type ProfileField,
  type TokenEndpointHandler,
  type UserinfoEndpointHandler,
} from '../../providers/oauth.ts'
import { ProviderFault } from '../provider-error.ts'
import { isSecureUrl, parseUrl, withoutQuery } from '../secure-url.ts'
import { type ClientFacts, clientAuthFor } from './client-auth.ts'
import { keptTokens } from './sent-members.ts'

/** A parameter of a request. A name may come more than once. */
type Parameter = readonly [name: string, value: string]

/** Where the metadata of a server is, and whose it may be. */
export interface Discovery {
  readonly url: string
  /** The issuers that the document may name. */
  readonly issuers: readonly string[]
  /** Set where the issuer depends on who signs in: any issuer at this origin will do then. */
  readonly origin: string | undefined
}

/** Everything about an OAuth or OIDC provider, decided. */
export interface ResolvedOAuthProvider {
  readonly id: string
  readonly name: string
  readonly type: 'oauth' | 'oidc'
  /** As the application wrote it, options merged: what hooks receive. */
  readonly config: OAuthConfig<Profile>
  readonly issuer: string | undefined
  /** Undefined if everything that is needed is configured, so that nothing need be asked. */
  readonly discovery: Discovery | undefined
  readonly authorization: {
    readonly url: string | undefined
    /** Without the scope. */
    readonly params: readonly Parameter[]
    readonly fragment: string | undefined
  }
  /** What the application asks for, separated by spaces. Undefined: no scope is sent. */
  readonly scope: string | undefined
  /** What may be asked for besides, once somebody is to agree to more. */
  readonly laterScopes: readonly string[]
  readonly scopeSeparator: string
  readonly token: Pick<TokenEndpointHandler, 'request' | 'refresh' | 'conform'> & {
    readonly url: string | undefined
    readonly params: readonly Parameter[]
  }
  readonly userinfo: Pick<UserinfoEndpointHandler, 'request' | 'conform'> & {
    readonly url: string | undefined
  }
  readonly jwksUri: string | undefined
  /** Whether people who sign out are signed out at the provider, too. */
  readonly endsAtProvider: boolean
  readonly endSession: {
    readonly url: string | undefined
    readonly params: readonly Parameter[]
    /** What the provider calls the URL that it sends people back to. */
    readonly returnParam: string
  }
  readonly revocationUrl: string | undefined
  readonly profileFrom: 'id_token' | 'userinfo'
  /** Whether the userinfo endpoint is asked where the id_token says neither name nor address. */
  readonly mayCompleteProfile: boolean
  readonly client: oauth.Client
  readonly clientFacts: ClientFacts
  readonly checks: Readonly<Record<'state' | 'pkce' | 'nonce', boolean>>
  /** The answer comes as a form that is posted from the provider's site. */
  readonly formPost: boolean
  /** The callback URL at the proxy, if there is one. */
  readonly proxyCallbackUrl: string | undefined
  /** The origins that answers go to through the proxy. */
  readonly proxyOrigins: readonly string[]
  readonly profile: ProfileCallback<Profile>
  readonly account: AccountCallback
  readonly emailVerified: boolean | ProfileField<Profile>
  readonly emailField: ProfileField<Profile>
  /** Whether tokens are bound to a key. */
  readonly dpop: boolean
  readonly allowInsecureRequests: boolean
  readonly fetch: typeof fetch | undefined
}

/** A deployment that providers send people back to, and those that it may pass them on to. */
export interface RedirectProxy {
  /** Up to and including the base path. */
  readonly url: string | undefined
  readonly origins: readonly string[]
}

/**
 * Decides everything about a provider, once. One that cannot work is answered as the error that
 * says why, so that it can be listed and reported and does not take the others down.
 */
export function resolveOAuthProvider(
  config: OAuthConfig<Profile>,
  proxy?: RedirectProxy,
): ResolvedOAuthProvider | InvalidEndpoints {
  return orFault(config, () => resolve(config, proxy))
}

/** As much of a provider as it takes to pass its answers on. A proxy need not be a client itself. */
export type Forwarding = Pick<
  ResolvedOAuthProvider,
  'id' | 'proxyCallbackUrl' | 'proxyOrigins' | 'allowInsecureRequests'
>

/** Decides how the answers of a provider are passed on. */
export function resolveForwarding(
  config: OAuthConfig<Profile>,
  proxy: RedirectProxy,
): Forwarding | InvalidEndpoints {
  return orFault(config, () => forwardingOf(config, resolveAuthorization(config).params, proxy))
}

function forwardingOf(
  config: OAuthConfig<Profile>,
  params: readonly Parameter[],
  proxy: RedirectProxy | undefined,
): Forwarding {
  // A hop would make a query of the posted form, and the cookie would not come along.
  const url = isFormPost(params) ? undefined : config.redirectProxyUrl || proxy?.url
  return {
    id: config.id,
    proxyCallbackUrl: url && `${url.replace(/\/+$/, '')}/callback/${encodeURIComponent(config.id)}`,
    proxyOrigins: proxy?.origins ?? [],
    allowInsecureRequests: config.allowInsecureRequests === true,
  }
}

function isFormPost(params: readonly Parameter[]): boolean {
  return params.some(([name, value]) => name === 'response_mode' && value === 'form_post')
}

function orFault<T>(config: OAuthConfig<Profile>, decide: () => T): T | InvalidEndpoints {
  try {
    return decide()
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error
    return new InvalidEndpoints(`Provider ${JSON.stringify(config.id)}: ${error.message}.`, {
      cause: { provider: config.id },
    })
  }
}

function resolve(
  config: OAuthConfig<Profile>,
  proxy: RedirectProxy | undefined,
): ResolvedOAuthProvider {
  const { clientId, clientSecret, clientIdParam } = config
  if (!clientId) {
    const variable = providerVariable(config.id, 'ID')
    throw new ProviderFault(`clientId is not set: set ${variable}, or pass it`)
  }
  const token: TokenEndpointHandler = handlerOf(config.token)
  const userinfo: UserinfoEndpointHandler = handlerOf(config.userinfo)
  const endSession: EndSessionEndpointHandler = handlerOf(config.endSession)
  const { scope, ...authorization } = resolveAuthorization(config)
  const forwarding = forwardingOf(config, authorization.params, proxy)
  const clientFacts: ClientFacts = Object.freeze({
    clientId,
    clientSecret: clientSecret || undefined,
    clientIdParam: clientIdParam ?? 'client_id',
    method: config.client?.token_endpoint_auth_method,
    privateKey: token.clientPrivateKey,
  })
  // For its faults alone: an unknown method, a secret or a key that is missing.
  if (!token.request) clientAuthFor(clientFacts, undefined)
  const provider = {
    ...forwarding,
    name: config.name,
    type: config.type,
    config,
    issuer: config.issuer || undefined,
    authorization: Object.freeze(authorization),
    scope,
    laterScopes: Object.freeze([...(config.laterScopes ?? [])]),
    scopeSeparator: config.scopeSeparator ?? ' ',
    token: Object.freeze({
      ...hooksOf(token),
      ...(token.refresh && { refresh: token.refresh.bind(token) }),
      url: token.url || undefined,
      params: parametersOf(token.params),
    }),
    userinfo: Object.freeze({
      ...hooksOf(userinfo),
      url: withParameters(userinfo.url || undefined, parametersOf(userinfo.params)),
    }),
    jwksUri: config.jwks_endpoint || undefined,
    endsAtProvider: config.logout === 'provider',
    endSession: Object.freeze({
      url: endSession.url || undefined,
      params: parametersOf(endSession.params),
      returnParam: endSession.returnParam ?? 'post_logout_redirect_uri',
    }),
    revocationUrl: config.revocation ? String(config.revocation) : undefined,
    profileFrom:
      config.type === 'oauth' || config.idToken === false
        ? ('userinfo' as const)
        : ('id_token' as const),
    mayCompleteProfile: config.type === 'oidc' && config.idToken !== true && asksWhoItIs(scope),
    // Sound: of what is no JSON in it, the protocol library reads nothing but its own symbols.
    client: Object.freeze({ ...config.client, client_id: clientId } as oauth.Client),
    clientFacts,
    checks: resolveChecks(config, { isProxied: forwarding.proxyCallbackUrl !== undefined }),
    formPost: isFormPost(authorization.params),
    profile: config.profile ?? defaultProfile,
    account: config.account ? keptOf(config.account) : defaultAccount,
    emailVerified: config.emailVerified ?? 'email_verified',
    emailField: config.emailField ?? 'email',
    dpop: config.dpop === true,
    fetch: config[customFetch],
  }
  const resolved = { ...provider, discovery: resolveDiscovery(provider) }
  assertSecureUrls(resolved)
  return Object.freeze(resolved)
}

/** OIDC Core §5.4: who asks for neither of these scopes wants to know no more than the id. */
function asksWhoItIs(scope = ''): boolean {
  return /(?:^|\s)(?:profile|email)(?:\s|$)/.test(scope)
}

function handlerOf<H extends { url?: string }>(endpoint: string | H | undefined): Partial<H> {
  if (!endpoint) return {}
  // Applications also write URL objects, at the top and inside.
  if (typeof endpoint === 'string' || endpoint instanceof URL) {
    return { url: String(endpoint) } as Partial<H> // `url` is a member of every H
  }
  return endpoint.url ? { ...endpoint, url: String(endpoint.url) } : endpoint
}

function hooksOf<H extends { request?: unknown; conform?: unknown }>(
  handler: H,
): Pick<H, 'request' | 'conform'> {
  // Called on the handler, because applications write methods.
  const bound: Record<string, unknown> = {}
  for (const name of ['request', 'conform'] as const) {
    const hook = handler[name]
    if (typeof hook === 'function') bound[name] = hook.bind(handler)
  }
  return bound as Pick<H, 'request' | 'conform'> // the same functions, bound
}

function resolveAuthorization(config: OAuthConfig<Profile>) {
  const handler: AuthorizationEndpointHandler = handlerOf(config.authorization)
  const url = handler.url ? urlOf('authorization', handler.url) : undefined
  const given = parametersOf(handler.params)
  const inUrl = [...(url?.searchParams ?? [])].filter(
    ([name]) => !given.some(([other]) => other === name),
  )
  const all: readonly Parameter[] = [...inUrl, ...given]
  const scope = all.findLast(([name]) => name === 'scope')?.[1].trim()
  // OIDC Core §3.1.2.1 wants `openid`; plain OAuth has no scope that every server knows.
  const fallback = config.type === 'oidc' ? 'openid profile email' : undefined
  const fragment = handler.fragment ?? url?.hash
  return {
    url: url && withoutQuery(url),
    params: Object.freeze(all.filter(([name]) => name !== 'scope')),
    fragment: fragment?.replace(/^#/, '') || undefined,
    scope: scope || fallback,
  }
}

function parametersOf(params: Readonly<Record<string, unknown>> | undefined): readonly Parameter[] {
  const parameters: Parameter[] = []
  for (const [name, value] of Object.entries(params ?? {})) {
    if (value === undefined || value === null) continue
    if (!Array.isArray(value)) parameters.push([name, textOf(value)])
    else if (name === 'scope') parameters.push([name, value.join(' ')])
    // RFC 8707 §2: `resource` may be repeated.
    else for (const each of value) parameters.push([name, textOf(each)])
  }
  return Object.freeze(parameters)
}

function textOf(value: unknown): string {
  // OIDC Core §5.5: `claims` is JSON; so is every other parameter that has members.
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function withParameters(
  url: string | undefined,
  parameters: readonly Parameter[],
): string | undefined {
  if (!url || parameters.length === 0) return url
  const complete = urlOf('userinfo', url)
  for (const [name] of parameters) complete.searchParams.delete(name)
  for (const [name, value] of parameters) complete.searchParams.append(name, value)
  return complete.href
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

type Undiscovered = Omit<ResolvedOAuthProvider, 'discovery'>

function resolveDiscovery(provider: Undiscovered): Discovery | undefined {
  const { config, issuer, type } = provider
  const { wellKnown } = config
  const missing = missingEndpoints(provider)
  if (!issuer && !wellKnown) {
    if (missing.length > 0) {
      throw new ProviderFault(`it needs an issuer, or ${list(missing)}`)
    }
    if (type === 'oidc') throw new ProviderFault('issuer is not set, so no id_token can be checked')
    return undefined
  }
  if (missing.length === 0) return undefined
  const url = wellKnown ?? `${issuer?.replace(/\/$/, '')}${WELL_KNOWN}`
  const issuers = [issuer, wellKnown && issuerAbove(wellKnown)].filter(each => !!each)
  if (issuers.length === 0) {
    throw new ProviderFault(`wellKnown does not end in ${WELL_KNOWN}, so issuer must be set`)
  }
  const origin = config.issuerFor ? urlOf('discovery', url).origin : undefined
  return Object.freeze({ url, issuers: Object.freeze(issuers as string[]), origin }) // empty ones are gone
}

const WELL_KNOWN = '/.well-known/openid-configuration'

/** OIDC Discovery §4.3: the issuer is what stands before the well-known path. */
function issuerAbove(wellKnown: string): string | undefined {
  const url = urlOf('wellKnown', wellKnown)
  const address = withoutQuery(url)
  if (address.endsWith(WELL_KNOWN)) return address.slice(0, -WELL_KNOWN.length)
  // RFC 8414 §3.1 puts it between host and path instead.
  const between = '/.well-known/oauth-authorization-server'
  if (!url.pathname.startsWith(between)) return undefined
  return url.origin + url.pathname.slice(between.length)
}

function missingEndpoints(provider: Undiscovered): string[] {
  const { authorization, token, userinfo, profileFrom, type, client, jwksUri } = provider
  const bySecret = client.id_token_signed_response_alg?.startsWith('HS')
  const needed: Readonly<Record<string, unknown>> = {
    authorization: authorization.url,
    token: token.url ?? token.request,
    userinfo: profileFrom === 'id_token' || (userinfo.url ?? userinfo.request),
    jwks_endpoint: type === 'oauth' || bySecret || jwksUri,
    // Plain OAuth has no place where it could be found.
    endSession: type === 'oauth' || !provider.endsAtProvider || provider.endSession.url,
  }
  return Object.keys(needed).filter(name => !needed[name])
}

function assertSecureUrls(provider: ResolvedOAuthProvider): void {
  const urls = {
    authorization: provider.authorization.url,
    token: provider.token.url,
    userinfo: provider.userinfo.url,
    jwks_endpoint: provider.jwksUri,
    endSession: provider.endSession.url,
    revocation: provider.revocationUrl,
    discovery: provider.discovery?.url,
    redirectProxyUrl: provider.proxyCallbackUrl,
  }
  for (const [name, text] of Object.entries(urls)) {
    if (text === undefined) continue
    const url = urlOf(name, text)
    if (!isSecureUrl(url, { allowInsecure: provider.allowInsecureRequests })) {
      throw new ProviderFault(`${name}: expected an https URL, found ${withoutQuery(url)}`)
    }
  }
}

function urlOf(name: string, text: string): URL {
  const url = parseUrl(text)
  if (!url) throw new ProviderFault(`${name}: expected a URL, found ${JSON.stringify(text)}`)
  return url
}

function list(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

/** The claims of OIDC Core §5.1 as a user. Whether there is an id is checked for all mappers alike. */
function defaultProfile(claims: Profile): User {
  const { sub, id, name, nickname, preferred_username, email, picture } = claims
  return Object.fromEntries(
    Object.entries({
      id: sub ?? id,
      name: name ?? nickname ?? preferred_username,
      email,
      image: picture,
    }).filter(([, value]) => value !== undefined),
  )
}

const STORED = [
  'access_token',
  'id_token',
  'refresh_token',
  'expires_at',
  'scope',
  'token_type',
  'session_state',
] as const

const defaultAccount: AccountCallback = tokens =>
  Object.fromEntries(
    STORED.filter(name => tokens[name] !== undefined).map(name => [name, tokens[name]]),
  )

/** An application that stores everything stores what the provider sent, but not under our names. */
function keptOf(account: AccountCallback): AccountCallback {
  return tokens => {
    const chosen = account(tokens)
    return chosen && keptTokens(chosen)
  }
}
