import type { Profile } from '../base/user.ts'
import { rememberBuilder } from './complete-provider.ts'
import type {
  AuthorizationEndpointHandler,
  EndSessionEndpointHandler,
  OAuth2Config,
  OAuthClientMetadata,
  OAuthConfig,
  OAuthUserConfig,
  OIDCConfig,
  ProfileCallback,
  ProfileField,
  TokenEndpointHandler,
  UserinfoEndpointHandler,
} from './oauth.ts'
import { findField, mapProfile, type ProfileMap, STANDARD_CLAIMS } from './profile-map.ts'
import {
  type RefreshQuirks,
  refreshTokens,
  requestTokens,
  requestUserinfo,
  type TokenQuirks,
  type UserinfoQuirks,
} from './provider-requests.ts'
import { fillTemplate, type TemplateValues } from './template.ts'

/** An OAuth 2 provider: list it in `providers` as is, or call it with options. */
export type OAuth2Provider<P, Options = unknown> = (
  config?: OAuthUserConfig<P> & Options,
) => OAuth2Config<P>

/** An OpenID Connect provider: list it in `providers` as is, or call it with options. */
export type OIDCProvider<P, Options = unknown> = (
  config?: OAuthUserConfig<P> & Options,
) => OIDCConfig<P>

/** The profile of a provider that sticks to the standard claims. */
export interface StandardClaims {
  sub: string
  name?: string | null
  nickname?: string | null
  preferred_username?: string | null
  given_name?: string | null
  family_name?: string | null
  email?: string | null
  email_verified?: boolean | null
  picture?: string | null
  [claim: string]: unknown
}

/**
 * The definition of a provider. URLs and the texts among `authorization.params` are templates over the provider's
 * options, such as `{issuer}/oauth/authorize`; one that cannot be filled is left out, and the configuration check
 * then reports which endpoint is missing.
 */
export interface ProviderFacts<P>
  extends Pick<
    OIDCConfig<P>,
    | 'checks'
    | 'style'
    | 'scopeSeparator'
    | 'clientIdParam'
    | 'issuerFor'
    | 'profileFromCallback'
    | 'emailVerified'
    | 'emailField'
    | 'idToken'
  > {
  id: string
  name: string
  /** The defaults of options. */
  defaults?: Readonly<Record<string, string>>
  /** Options that are consumed here, and so are not handed on to the engine. */
  consumes?: readonly string[]
  issuer?: string | undefined
  wellKnown?: string
  jwks?: string | undefined
  scope?: string
  authorization?: AuthorizationEndpointHandler
  token?: TokenEndpointHandler & { exchange?: TokenQuirks; renewal?: RefreshQuirks }
  userinfo?: (UserinfoEndpointHandler<P> & { quirks?: UserinfoQuirks }) | undefined
  endSession?: EndSessionEndpointHandler
  revocation?: string
  /** Where the client secret goes. */
  clientAuth?: 'basic' | 'post'
  client?: OAuthClientMetadata
  /** Which parts of a profile make a user; the standard claims otherwise. */
  profile?: ProfileMap<P> | ProfileCallback<P>
}

type Facts<P, Options> =
  | ProviderFacts<P>
  | ((config: OAuthUserConfig<P> & Options) => ProviderFacts<P>)

/**
 * Makes an OAuth 2 provider from its definition.
 *
 * @example
 * ```
 * const Example: OAuth2Provider<ExampleProfile> = defineOAuth({
 *   id: 'example',
 *   name: 'Example',
 *   scope: 'profile',
 *   authorization: { url: 'https://example.com/authorize' },
 *   token: { url: 'https://example.com/token' },
 *   userinfo: { url: 'https://example.com/me' },
 *   profile: { id: 'id', name: ['name', 'login'], email: 'email', image: 'avatar.url' },
 * })
 * ```
 */
export function defineOAuth<P, Options = unknown>(
  facts: Facts<P, Options>,
): OAuth2Provider<P, Options> {
  return config => build<P, Options, OAuth2Config<P>>('oauth', facts, config)
}

/**
 * Makes an OpenID Connect provider from its definition.
 *
 * @example
 * ```
 * const Example: OIDCProvider<StandardClaims> = defineOIDC({
 *   id: 'example',
 *   name: 'Example',
 *   issuer: 'https://example.com',
 * })
 * ```
 */
export function defineOIDC<P, Options = unknown>(
  facts: Facts<P, Options>,
): OIDCProvider<P, Options> {
  return config => build<P, Options, OIDCConfig<P>>('oidc', facts, config)
}

function build<P, Options, T extends OAuthConfig<P>>(
  type: T['type'],
  source: Facts<P, Options>,
  given: (OAuthUserConfig<P> & Options) | undefined,
): T {
  const config = compact({ ...given }) as OAuthUserConfig<P> & Options
  const facts = typeof source === 'function' ? source(config) : source
  const values: TemplateValues = { ...facts.defaults, ...config }
  const fill = (template: string | undefined) =>
    template === undefined ? undefined : fillTemplate(template, values)
  const provider = compact({
    id: facts.id,
    name: facts.name,
    type,
    issuer: fill(facts.issuer),
    wellKnown: fill(facts.wellKnown),
    jwks_endpoint: fill(facts.jwks),
    authorization: authorizationOf(facts, config, fill),
    token: tokenOf(facts.token, fill),
    userinfo: userinfoOf(facts.userinfo, values, fill),
    endSession: facts.endSession,
    revocation: fill(facts.revocation),
    client: clientOf(facts),
    checks: facts.checks,
    idToken: facts.idToken,
    profile: profileOf(facts.profile),
    emailVerified: facts.emailVerified,
    emailField: facts.emailField ?? emailFieldOf(facts.profile),
    style: facts.style,
    scopeSeparator: facts.scopeSeparator,
    clientIdParam: facts.clientIdParam,
    issuerFor: facts.issuerFor,
    profileFromCallback: facts.profileFromCallback,
    options: without(config, facts.consumes ?? []),
  }) as object as T // each member has the type of the contract; undefined ones are gone
  rememberBuilder(provider, found => build(type, source, { ...found, ...config } as typeof given))
  return provider
}

type Fill = (template: string | undefined) => string | undefined

function authorizationOf<P>(facts: ProviderFacts<P>, config: OAuthUserConfig<P>, fill: Fill) {
  const { url, params, fragment } = facts.authorization ?? {}
  const filled: Record<string, unknown> = {}
  for (const [name, value] of Object.entries({ scope: facts.scope, ...params })) {
    filled[name] = typeof value === 'string' ? fill(value) : value
  }
  // Parameters in an application's own URL are not replaced by our defaults.
  for (const name of namesInUrl(config.authorization)) delete filled[name]
  const authorization = compact({ url: fill(url), params: compact(filled), fragment })
  if (Object.keys(authorization.params ?? {}).length === 0) delete authorization.params
  return Object.keys(authorization).length > 0 ? authorization : undefined
}

function namesInUrl(authorization: string | AuthorizationEndpointHandler | undefined) {
  const url = typeof authorization === 'object' ? authorization.url : undefined
  return url && URL.canParse(url) ? [...new URL(url).searchParams.keys()] : []
}

function tokenOf(facts: ProviderFacts<Profile>['token'], fill: Fill) {
  if (!facts) return undefined
  const { url, exchange, renewal, ...handler } = facts
  const endpoint: TokenEndpointHandler = { ...handler }
  const filled = fill(url)
  if (filled) endpoint.url = filled
  if (exchange) endpoint.request = context => requestTokens(context, exchange)
  if (renewal) endpoint.refresh = context => refreshTokens(context, renewal)
  return url && !filled ? undefined : endpoint
}

function userinfoOf<P>(facts: ProviderFacts<P>['userinfo'], values: TemplateValues, fill: Fill) {
  if (!facts) return undefined
  const { url, quirks, ...handler } = facts
  const endpoint: UserinfoEndpointHandler<P> = { ...handler }
  const filled = fill(url)
  if (filled) endpoint.url = filled
  if (quirks) endpoint.request = context => requestUserinfo(context, quirks, values)
  return url && !filled ? undefined : endpoint
}

function clientOf<P>({ clientAuth, client }: ProviderFacts<P>) {
  if (!clientAuth) return client
  return { ...client, token_endpoint_auth_method: `client_secret_${clientAuth}` }
}

function profileOf<P>(profile: ProviderFacts<P>['profile']): ProfileCallback<P> {
  if (typeof profile === 'function') return profile
  const map: ProfileMap<P> = profile ?? STANDARD_CLAIMS
  return (raw, tokens) => mapProfile(map, raw, tokens)
}

/**
 * Where the provider puts the address. Kept beside the mapping, which an application may replace by
 * one that takes the address from somewhere else.
 */
function emailFieldOf<P>(profile: ProviderFacts<P>['profile']): ProfileField<P> | undefined {
  if (typeof profile !== 'object' || profile.email === null || profile.email === 'email') {
    return undefined
  }
  const { email } = profile
  return typeof email === 'string' ? email : raw => findField(email, raw, {})
}

function without<T extends object>(value: T, names: readonly string[]): T {
  const copy: T = { ...value }
  for (const name of names) delete copy[name as keyof T]
  return copy
}

/** A copy without the members that are undefined: absent means the same and merges better. */
function compact<T extends object>(value: T): Partial<T> {
  const copy: Partial<T> = { ...value }
  for (const name of Object.keys(copy)) {
    if (copy[name as keyof T] === undefined) delete copy[name as keyof T]
  }
  return copy
}

// An application that exports a provider without writing its type down needs a name for it.
export type { OAuth2Config, OIDCConfig }

/** An issuer that stands at a path below what people call their address, which may be there already. */
export function issuerBelow(address: string | undefined, path: string): string | undefined {
  if (!address) return undefined
  const base = address.replace(/\/+$/, '')
  return path !== '/' && base.endsWith(path) ? base : base + path
}
