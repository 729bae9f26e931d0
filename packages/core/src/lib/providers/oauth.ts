import type { Awaitable, CommonProviderOptions, Profile, TokenSet, User } from '../base/model.ts'
import type { Mark } from '../look/marks/mark.ts'

/**
 * Set as a symbol-keyed member of a provider to replace `fetch` for everything that is asked of
 * that provider: discovery, keys, tokens, profile.
 *
 * @example
 * ```ts
 * import { customFetch } from '@siteauth/core'
 *
 * export const throughProxy = {
 *   [customFetch]: (input: RequestInfo | URL, init?: RequestInit) => fetch(input, init),
 * }
 * ```
 */
export const customFetch: unique symbol = Symbol.for('siteauth.custom-fetch') as never

/** How an authorization response is tied to the browser that asked for it. */
export type OAuthChecks = 'none' | 'state' | 'pkce' | 'nonce'

/** How the button of a provider looks. */
export interface OAuthProviderButtonStyles {
  /** URL of an image for the button, instead of `mark`: a path, an https URL, or an image as data. */
  logo?: string
  /** CSS colour of the mark on the button. */
  brandColor?: string
  /**
   * Drawn on the button: the data of an SVG path in a square of 24 by 24, in the brand's colour, or
   * several paths with a colour each. It is part of the page, so nobody is asked for it.
   */
  mark?: Mark
  /** @deprecated Use `brandColor`. */
  text?: string
  /** @deprecated Use `brandColor`. */
  bg?: string
}

/** Metadata of the OAuth client beyond its id, by the names of RFC 7591. */
export interface OAuthClientMetadata {
  token_endpoint_auth_method?:
    | 'client_secret_basic'
    | 'client_secret_post'
    | 'client_secret_jwt'
    | 'private_key_jwt'
    | 'none'
    | (string & {})
  /** The only algorithm that an id_token may be signed with. */
  id_token_signed_response_alg?: string
  /** Set where the userinfo endpoint answers with a signed token. */
  userinfo_signed_response_alg?: string
  require_auth_time?: boolean
  default_max_age?: number
  [member: string]: unknown
}

/** Where people are sent to sign in, and with which parameters. */
export interface AuthorizationEndpointHandler {
  url?: string
  /** Sent with every request. `scope` goes here. */
  params?: Record<string, unknown>
  /** What is put after `#`, for the rare provider that wants it. */
  fragment?: string
}

/** The facts of one exchange of a code for tokens. */
export interface TokenRequestContext {
  provider: OAuthConfig<Profile>
  /** What came back to the callback URL: `code` and whatever the provider added. */
  params: Readonly<Record<string, string>>
  /** The callback URL that the code was issued for. */
  redirectUri: string
  codeVerifier: string | undefined
  fetch: typeof fetch
}

/** Where a code is exchanged for tokens. */
export interface TokenEndpointHandler {
  url?: string
  /** Sent in the body of every request. */
  params?: Record<string, unknown>
  /** Replaces the request altogether, for providers that do not follow RFC 6749. */
  request?(context: TokenRequestContext): Awaitable<{ tokens: TokenSet } | TokenSet>
  /** Repairs a response before it is read. */
  conform?(response: Response): Awaitable<Response | undefined>
  /** The key that signs client assertions, for `private_key_jwt`. */
  clientPrivateKey?: CryptoKey | { key: CryptoKey; kid?: string }
}

/** The facts of one request for a profile. */
export interface UserinfoRequestContext<P = Profile> {
  tokens: TokenSet
  provider: OAuthConfig<P> & { userinfo?: { url?: URL } }
  fetch: typeof fetch
}

/** Where a profile is fetched. */
export interface UserinfoEndpointHandler<P = Profile> {
  url?: string
  params?: Record<string, unknown>
  /** Replaces the request altogether. */
  request?(context: UserinfoRequestContext<P>): Awaitable<P | undefined>
  /** Repairs a response before it is read. */
  conform?(response: Response): Awaitable<Response | undefined>
}

/** Turns a provider's profile into a user. */
export type ProfileCallback<P> = (
  profile: P,
  tokens: TokenSet,
  /** Asks the provider, as everything else is asked of it. */
  context?: { readonly fetch: typeof fetch },
) => Awaitable<User>

/**
 * Picks what is stored of an account's tokens. Names that mean something in our own records, such as
 * `userId`, are left out of what it returns.
 */
export type AccountCallback = (tokens: TokenSet) => TokenSet | undefined

/** Finds something in a provider's profile: at a path such as `account.email`, or by a function. */
export type ProfileField<P> = string | ProfileReader<P>['read']

interface ProfileReader<P> {
  // A method, so that a provider of any profile type can stand in a list of providers.
  read(profile: P): unknown
}

/** Any of the three endpoints of a provider. */
export type OAuthEndpointType = 'authorization' | 'token' | 'userinfo'

interface OAuthSharedConfig<P> extends CommonProviderOptions {
  /** Where the issuer's metadata is, if not at the usual place below the issuer. */
  wellKnown?: string
  /** The issuer, exactly as it names itself. Its endpoints and keys are discovered from it. */
  issuer?: string
  authorization?: string | AuthorizationEndpointHandler
  token?: string | TokenEndpointHandler
  userinfo?: string | UserinfoEndpointHandler<P>
  /** Where the issuer's keys are, where they cannot be discovered. */
  jwks_endpoint?: string
  clientId?: string
  clientSecret?: string
  client?: OAuthClientMetadata
  /** Defaults to state and PKCE, and for OIDC also a nonce. */
  checks?: readonly OAuthChecks[]
  // A method, so that a provider of any profile type can stand in a list of providers.
  profile?(...args: Parameters<ProfileCallback<P>>): ReturnType<ProfileCallback<P>>
  account?: AccountCallback
  /**
   * What in a profile says that the person has proven to own the address. Only `true` and `"true"`
   * say so. Defaults to `email_verified`, the claim of OpenID Connect. Set it to `true` where the
   * provider never hands out an address before it was proven, and to `false` where its word is not
   * good enough for you.
   */
  emailVerified?: boolean | ProfileField<P>
  /**
   * The address that `emailVerified` is about, or a list of them. Defaults to `email`. If `profile`
   * returns any other address, nobody has vouched for that one.
   */
  emailField?: ProfileField<P>
  style?: OAuthProviderButtonStyles
  /**
   * Link a sign-in to an existing user with the same address. Only for providers that verify
   * addresses: otherwise whoever enters your address there gets your account here.
   */
  allowDangerousEmailAccountLinking?: boolean
  redirectProxyUrl?: string
  /** Separates scopes, where a provider wants something else than a space. */
  scopeSeparator?: string
  /** What the provider calls `client_id`. */
  clientIdParam?: string
  /**
   * The issuer that an id_token must name, where it depends on who signed in: a provider with
   * tenants. Receives the configured issuer and the claims, which are not verified yet.
   */
  issuerFor?(issuer: string, claims: Readonly<Record<string, unknown>>): string
  /** Adds to the profile what only the callback request carries. */
  profileFromCallback?(profile: P, params: Readonly<Record<string, string>>): P
  /** Allow `http:` endpoints that are not on loopback. Whoever is on the network can then sign in as anyone. */
  allowInsecureRequests?: boolean
  [customFetch]?: typeof fetch
}

/** A provider that speaks OAuth 2 without OpenID Connect. */
export interface OAuth2Config<P> extends OAuthSharedConfig<P> {
  type: 'oauth'
  options?: OAuthUserConfig<P>
}

/** A provider that speaks OpenID Connect. */
export interface OIDCConfig<P> extends OAuthSharedConfig<P> {
  type: 'oidc'
  /**
   * Where the profile comes from. By default from the id_token and, if that says neither name nor address
   * though they were asked for, also from the userinfo endpoint. `true`: never from there. `false`: only.
   */
  idToken?: boolean
  options?: OAuthUserConfig<P>
}

/** The same, for code that names what the engine makes of a provider. */
export type OIDCConfigInternal<P> = OIDCConfig<P>

/** A provider that speaks OAuth 2, with or without OpenID Connect. */
export type OAuthConfig<P> = OIDCConfig<P> | OAuth2Config<P>

/** What an application writes for an OAuth provider. */
export type OAuthUserConfig<P> = Omit<Partial<OIDCConfig<P>>, 'options' | 'type'>

/** What an application writes for an OpenID Connect provider. */
export type OIDCUserConfig<P> = OAuthUserConfig<P>

/** The id of an OAuth provider. */
export type OAuthProviderId = string
