import type { Awaitable } from '../base/awaitable.ts'
import type { CommonProviderOptions } from '../base/provider-type.ts'
import type { Profile, TokenSet, User } from '../base/user.ts'
import type { Logo } from '../branding/logos/logo.ts'

/**
 * Set as a symbol-keyed property of a provider to replace `fetch` for all requests to that
 * provider: discovery, keys, tokens, profile.
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

/** How an authorization response is bound to the browser that asked for it. */
export type OAuthChecks = 'none' | 'state' | 'pkce' | 'nonce'

/** How a provider's button looks. */
export interface OAuthProviderButtonStyles {
  /** URL of an image for the button, instead of `logoPath`: a path, an https URL, or a data URL. */
  logo?: string
  /** CSS colour of the logo on the button. */
  brandColor?: string
  /**
   * Drawn on the button: SVG path data in a 24 by 24 square, in the brand's colour, or several
   * paths with a colour each. It is part of the page, so it takes no request.
   */
  logoPath?: Logo
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
  /** The only algorithm an id_token may be signed with. */
  id_token_signed_response_alg?: string
  /** Set this if the userinfo endpoint returns a signed token. */
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
  /** The part after `#`, for the rare provider that wants it. */
  fragment?: string
}

/** The context in which a code is exchanged for tokens. */
export interface TokenRequestContext {
  provider: OAuthConfig<Profile>
  /** The callback URL's parameters: `code` and whatever the provider added. */
  params: Readonly<Record<string, string>>
  /** The callback URL the code was issued for. */
  redirectUri: string
  codeVerifier: string | undefined
  fetch: typeof fetch
}

/** The context in which a refresh token is exchanged for new tokens. */
export interface TokenRefreshContext {
  provider: OAuthConfig<Profile>
  refreshToken: string
  /** The stored part of the account's tokens, among them `session_state`. */
  account: Readonly<Pick<TokenSet, 'scope' | 'session_state'>>
  fetch: typeof fetch
}

/** Where a code is exchanged for tokens. */
export interface TokenEndpointHandler {
  url?: string
  /** Sent in the body of every request. */
  params?: Record<string, unknown>
  /** Replaces the whole request, for providers that do not follow RFC 6749. */
  request?(context: TokenRequestContext): Awaitable<{ tokens: TokenSet } | TokenSet>
  /**
   * Replaces the request that refreshes tokens, for the same providers. `{ error: 'invalid_grant' }` means that the
   * person has to sign in again.
   */
  refresh?(context: TokenRefreshContext): Awaitable<{ tokens: TokenSet } | TokenSet>
  /** Repairs a response before it is read. */
  conform?(response: Response): Awaitable<Response | undefined>
  /** The key that signs client assertions, for `private_key_jwt`. */
  clientPrivateKey?: CryptoKey | { key: CryptoKey; kid?: string }
}

/** The context in which a profile is requested. */
export interface UserinfoRequestContext<P = Profile> {
  tokens: TokenSet
  provider: OAuthConfig<P> & { userinfo?: { url?: URL } }
  fetch: typeof fetch
}

/** Where the profile is fetched from. */
export interface UserinfoEndpointHandler<P = Profile> {
  url?: string
  params?: Record<string, unknown>
  /** Replaces the whole request. */
  request?(context: UserinfoRequestContext<P>): Awaitable<P | undefined>
  /** Repairs a response before it is read. */
  conform?(response: Response): Awaitable<Response | undefined>
}

/** Where people are sent to sign out at the provider, and with which parameters. */
export interface EndSessionEndpointHandler {
  url?: string
  /** Sent with every request, beside those of the standard. */
  params?: Record<string, unknown>
  /** The provider's name for `post_logout_redirect_uri`. */
  returnParam?: string
}

/** Turns a provider's profile into a user. */
export type ProfileCallback<P> = (
  profile: P,
  tokens: TokenSet,
  /** The `fetch` used for all requests to the provider. */
  context?: { readonly fetch: typeof fetch },
) => Awaitable<User>

/**
 * Picks which of an account's tokens are stored. Names with a meaning in our own records, such as `userId`, are
 * removed from its result.
 */
export type AccountCallback = (tokens: TokenSet) => TokenSet | undefined

/**
 * Finds something in a provider's profile: at a path such as `account.email`, or with a function.
 */
export type ProfileField<P> = string | ProfileReader<P>['read']

interface ProfileReader<P> {
  // A method, so that a provider of any profile type can stand in a list of providers.
  read(profile: P): unknown
}

/** Any of the three endpoints that a sign-in needs. */
export type OAuthEndpointType = 'authorization' | 'token' | 'userinfo'

interface OAuthSharedConfig<P> extends CommonProviderOptions {
  /** Where the issuer's metadata is, if not in the usual place under the issuer. */
  wellKnown?: string
  /** The issuer, exactly as it identifies itself. Its endpoints and keys are discovered from it. */
  issuer?: string
  authorization?: string | AuthorizationEndpointHandler
  token?: string | TokenEndpointHandler
  userinfo?: string | UserinfoEndpointHandler<P>
  /** Where the issuer's keys are, if they cannot be discovered. */
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
   * The claim of a profile that the person has proved to own the address. Only `true` and `"true"` count. Defaults to
   * `email_verified`, the OpenID Connect claim. Set it to `true` if the provider never reveals an address before it
   * is verified, and to `false` if you do not trust its claim.
   */
  emailVerified?: boolean | ProfileField<P>
  /**
   * The address `emailVerified` applies to, or a list of them. Defaults to `email`. If `profile`
   * returns any other address, no one has vouched for it.
   */
  emailField?: ProfileField<P>
  style?: OAuthProviderButtonStyles
  /**
   * Link a sign-in to an existing user with the same address. Only for providers that verify
   * addresses: otherwise, anyone who enters your address there gets your account here.
   */
  allowDangerousEmailAccountLinking?: boolean
  redirectProxyUrl?: string
  /**
   * How far signing out reaches. `local`: this application. `provider`: people are then sent on to the
   * provider, which signs them out there as well and sends them back; the tokens of the sign-in are
   * revoked if the provider takes that. Register `<base path>/signout/return` there. Defaults to
   * `local`.
   */
  logout?: 'local' | 'provider'
  /** Where people are signed out at the provider, if it is not in the issuer's metadata. */
  endSession?: string | EndSessionEndpointHandler
  /** Where tokens are revoked, if it is not in the issuer's metadata. */
  revocation?: string
  /**
   * Whether the provider's server may end sessions here, by OpenID Connect Back-Channel Logout. Register
   * `<base path>/backchannel-logout/<id>` there. Takes a log of ended sessions, which all our adapters
   * have.
   */
  backChannelLogout?: boolean
  /**
   * Whether a page of the provider may end a session here, in a frame: OpenID Connect Front-Channel Logout.
   * For providers that have no back channel, since nothing proves who asks. Register
   * `<base path>/frontchannel-logout/<id>` there, with `sid` required. Takes a log as well.
   */
  frontChannelLogout?: boolean
  /**
   * Scopes that are not asked for at first, but may be later, when a person uses what needs them: by
   * `scope` among the parameters of `signIn`. Anything else that a request asks for is left out.
   */
  laterScopes?: readonly string[]
  /** Separates scopes, if the provider wants something other than a space. */
  scopeSeparator?: string
  /**
   * Bind tokens to a key of each account (DPoP, RFC 9449), so that no one else can use them. For providers that
   * require it. Call their APIs with `accounts.fetch`, which proves that it has the key.
   */
  dpop?: boolean
  /** The provider's name for `client_id`. */
  clientIdParam?: string
  /**
   * The issuer an id_token must name, if it depends on who signed in, as with tenants. Receives the
   * configured issuer, the claims, which are not verified yet, and the issuer that the server's metadata
   * names, if they were requested.
   */
  issuerFor?(issuer: string, claims: Readonly<Record<string, unknown>>, discovered?: string): string
  /** Adds data to the profile that only the callback request carries. */
  profileFromCallback?(profile: P, params: Readonly<Record<string, string>>): P
  /**
   * Allow `http:` endpoints that are not on loopback. Anyone on the network can then sign in as
   * anyone.
   */
  allowInsecureRequests?: boolean
  [customFetch]?: typeof fetch
}

/** An OAuth 2 provider without OpenID Connect. */
export interface OAuth2Config<P> extends OAuthSharedConfig<P> {
  type: 'oauth'
  options?: OAuthUserConfig<P>
}

/** An OpenID Connect provider. */
export interface OIDCConfig<P> extends OAuthSharedConfig<P> {
  type: 'oidc'
  /**
   * Where the profile comes from. By default, from the id_token and, if that has neither name nor
   * address though they were requested, also from the userinfo endpoint. `true`: never from
   * userinfo. `false`: only from userinfo.
   */
  idToken?: boolean
  options?: OAuthUserConfig<P>
}

/** The same, for code that names what the engine makes of a provider. */
export type OIDCConfigInternal<P> = OIDCConfig<P>

/** An OAuth 2 provider, with or without OpenID Connect. */
export type OAuthConfig<P> = OIDCConfig<P> | OAuth2Config<P>

/** The options of an OAuth provider. */
export type OAuthUserConfig<P> = Omit<Partial<OIDCConfig<P>>, 'options' | 'type'>

/** The options of an OpenID Connect provider. */
export type OIDCUserConfig<P> = OAuthUserConfig<P>

/** The id of an OAuth provider. */
export type OAuthProviderId = string
