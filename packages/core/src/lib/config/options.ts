import type { Adapter } from '../base/adapter.ts'
import type { Callbacks, EventCallbacks } from '../base/callbacks.ts'
import type { LoggerInstance } from '../base/logger.ts'
import type { Ports } from '../base/ports.ts'
import type { JWT, Session } from '../base/session.ts'
import type { Named } from '../base/session-types.ts'
import type { Limiter, LimitKind, RevocationLog, TrackedSessions } from '../base/stores.ts'
import type { Theme } from '../branding/theme.ts'
import type { DescribeSession } from '../devices/describe-session.ts'
import type { CookieAttributes } from '../http/cookies.ts'
import type { ClientAddress } from '../limits/client-address.ts'
import type { LimitRules } from '../limits/rules.ts'
import type { Provider } from '../providers/provider.ts'
import type { JWTOptions } from '../session/jwt/jwt.ts'
import type { Translation } from '../translations/messages.ts'

/**
 * Set as `raw` to get plain data instead of a `Response`. For framework integrations.
 *
 * @internal
 */
export const raw: unique symbol = Symbol.for('siteauth.raw') as never

/**
 * Set as `skipCSRFCheck` to switch the CSRF check off. Any page on the web can then sign your
 * visitors in and out, unless something else prevents it, such as a framework that checks the
 * origin of every form.
 *
 * @example
 * ```ts
 * import { type AuthConfig, skipCSRFCheck } from '@siteauth/core'
 *
 * export const config: AuthConfig = { providers: [], skipCSRFCheck }
 * ```
 */
export const skipCSRFCheck: unique symbol = Symbol.for('siteauth.skip-csrf-check') as never

/** The pages an application can replace, each with a path or a URL. */
export interface PagesOptions {
  /**
   * Receives `callbackUrl`, and after a failure `error` and perhaps `code`, in its query. With the error
   * `TooManyAttempts`, the code is in how many seconds to try again.
   */
  signIn: string
  /** Asks whether to sign out. */
  signOut: string
  /** Receives `error` in its query. */
  error: string
  /** Shown after a link has been emailed. */
  verifyRequest: string
  /** Where people go after their first sign-in, instead of back to where they were. */
  newUser: string
}

/** A cookie's name and attributes. Anything left out keeps its default. */
export type CookieOverride = { name?: string; options?: CookieAttributes }

/** The cookies' names and attributes. */
export interface CookiesOptions {
  /** The session: the sealed token, or the key of its row. Split into chunks if it is large. */
  sessionToken: CookieOverride
  /** Where to return to after signing in. */
  callbackUrl: CookieOverride
  /** A token that forms must repeat, so that other sites cannot send them. */
  csrfToken: CookieOverride
  /** The start of the cookie names for sign-ins in progress. */
  state: CookieOverride
  /** No effect: the PKCE verifier is in the cookie named by `state`. */
  pkceCodeVerifier: CookieOverride
  /** No effect: the nonce is in the cookie named by `state`. */
  nonce: CookieOverride
  /** The challenge a passkey has to answer. */
  webauthnChallenge: CookieOverride
  /** Identifies the browser that asked for an email link. */
  emailRequest: CookieOverride
  /** The start of the names of the cookies with a provider's tokens: see `account.storeTokensInCookie`. */
  tokens: CookieOverride
  /** The name or address that was entered, for ten minutes at most, so that the built-in page can show it again. */
  signInForm: CookieOverride
  /** Identifies a browser that a user has signed in with, for the limits. */
  knownBrowser: CookieOverride
  /** Names the provider this browser signed in with last, where the sign-in page begins with an address. */
  lastProvider: CookieOverride
  /**
   * Shows that this browser was given the session, before it can be used to add a way to sign in. Its name has to start with
   * `__Host-`, unless `sessionToken` has a `domain` or such a name.
   */
  sessionBinding: CookieOverride
  /** Marks a browser whose visitor was asked to sign in again, for 15 minutes. */
  reauthentication: CookieOverride
}

/** How sessions are stored. */
export interface SessionOptions<Exposed extends string = string> {
  /**
   * `jwt`: in an encrypted cookie. `database`: in a row, through the adapter. Defaults to
   * `database` if there is an adapter.
   */
  strategy?: 'jwt' | 'database' | undefined
  /** How long a session lasts without a visit, in seconds. Defaults to 30 days. */
  maxAge?: number | undefined
  /**
   * How long a session lasts at most, in seconds, however much it is used. Counted from the sign-in.
   * Unlimited unless set.
   *
   * @example
   * ```ts
   * import type { AuthConfig } from '@siteauth/core'
   *
   * export const config: AuthConfig = {
   *   providers: [],
   *   session: { maxAge: 60 * 60, absoluteAge: 12 * 60 * 60 },
   * }
   * ```
   */
  absoluteAge?: number | undefined
  /**
   * How many concurrent sessions a user may have. If a sign-in starts one more, the oldest end, up to 100 of them at a
   * time. Sessions in cookies are counted if `track` is set. Unlimited unless set.
   *
   * @example
   * ```ts
   * import { MemoryAdapter } from '@siteauth/adapters/memory'
   * import type { AuthConfig } from '@siteauth/core'
   *
   * export const config: AuthConfig = {
   *   providers: [],
   *   adapter: MemoryAdapter(),
   *   session: { maxConcurrent: 5 },
   * }
   * ```
   */
  maxConcurrent?: number | undefined
  /**
   * Whether people stay signed in when they close the browser. The field `remember` of a sign-in wins;
   * this is for those that have none. With `ask` it is `false`, and the built-in page asks. Defaults to
   * `true`.
   *
   * @example
   * ```ts
   * import type { AuthConfig } from '@siteauth/core'
   *
   * export const config: AuthConfig = { providers: [], session: { remember: 'ask' } }
   * ```
   */
  remember?: boolean | 'ask' | undefined
  /**
   * Whether the database holds hashes of session tokens, so that someone who reads them cannot sign in with them.
   * `migrate` also accepts sessions that were stored before, and hashes each when it is next used. Once those have
   * expired, set `true`. With several servers, set `accept` on all of them first. For the strategy `database`;
   * defaults to `false`.
   *
   * @example
   * ```ts
   * import { MemoryAdapter } from '@siteauth/adapters/memory'
   * import type { AuthConfig } from '@siteauth/core'
   *
   * export const config: AuthConfig = {
   *   providers: [],
   *   adapter: MemoryAdapter(),
   *   session: { hashTokens: 'migrate' },
   * }
   * ```
   */
  hashTokens?: boolean | 'accept' | 'migrate' | undefined
  /**
   * How old a session gets before it is renewed, in seconds; 0 renews it on every access. Defaults
   * to one day, or half of `maxAge` if that is less.
   */
  updateAge?: number | undefined
  /**
   * The audience of sessions, such as the name of a tenant. Tenants that share a secret or a database then reject
   * each other's sessions, sign-ins in progress, forms and email links, and users of one neither see nor end the JWT
   * sessions of users of another with the same id. Setting or changing it signs everyone out.
   */
  audience?: string | undefined
  /**
   * The fields that the browser sees of the user besides name, email and image: with a database, columns of the user;
   * with JWT sessions, claims in the token, where sign-in puts them. `auth()` and `getSession()` have the types, from
   * `User` or from the result of your `jwt` callback.
   *
   * @example
   * ```ts
   * import { createAuth } from '@siteauth/core'
   *
   * const auth = createAuth({ providers: [], session: { expose: ['id'] } })
   *
   * export async function idOf(request: Request): Promise<string | undefined> {
   *   return (await auth.getSession(request))?.user.id
   * }
   * ```
   */
  expose?: readonly Exposed[] | undefined
  /**
   * With the `jwt` strategy, how sessions are ended early. That takes a log of ended sessions,
   * which all our adapters have, or one you pass here. With `false`, sessions last until they
   * expire.
   */
  revocation?: RevocationOptions | false | undefined
  /**
   * Whether users' sessions are recorded, so that they can be listed and ended one by one: by browser, start and
   * provider. IP addresses are not stored. Defaults to `true` if sessions are rows of an adapter of ours. Sessions in
   * cookies each take a row then, which is written when the session begins, is renewed or ends, and never read to
   * check one; another place for these rows can be given here.
   *
   * @example
   * ```ts
   * import { MemoryAdapter } from '@siteauth/adapters/memory'
   * import { createAuth } from '@siteauth/core'
   *
   * const auth = createAuth({
   *   providers: [],
   *   adapter: MemoryAdapter(),
   *   session: { strategy: 'jwt', track: true },
   * })
   *
   * export async function devicesOf(request: Request): Promise<string[]> {
   *   const sessions = await auth.sessions.list(request)
   *   return sessions.map(({ browser, system }) => `${browser} on ${system}`)
   * }
   * ```
   */
  track?: boolean | TrackedSessions | undefined
  /**
   * The label of a session in the list of a user's sessions, beside its browser: a place, for example. Called when a
   * user signs in. Labels are cut at 100 characters.
   *
   * @example
   * ```ts
   * import type { AuthConfig } from '@siteauth/core'
   *
   * export const session: AuthConfig['session'] = {
   *   describe: ({ headers }) => headers.get('cf-ipcountry'), // set by your proxy, not by visitors
   * }
   * ```
   */
  describe?: DescribeSession | undefined
  /** Makes the token of a database session. Defaults to a random UUID. */
  generateSessionToken?: (() => string) | undefined
}

/** How sessions in cookies are ended early. */
interface RevocationOptions {
  /**
   * When sessions are checked. `always`: each process keeps a copy of the revocations, so a check needs no I/O.
   * `on-renewal`: the store is queried when a session is due for renewal, for servers that keep nothing between requests. Until
   * then, an ended session can still be read; 30 seconds longer where it cannot be renewed. Defaults to `always`.
   */
  check?: 'always' | 'on-renewal' | undefined
  /** How far a process may lag behind the store, in seconds, unless notified. Defaults to 10. */
  pollSeconds?: number | undefined
  /**
   * How long sessions are accepted while the store does not respond, in seconds. Defaults to five
   * minutes.
   */
  maxStaleSeconds?: number | undefined
  /**
   * The behaviour after that. `reject`: it is unknown whether the visitor is signed in, and the response is 503.
   * `accept`: sessions are still accepted. Defaults to `reject`.
   */
  whenStale?: 'reject' | 'accept' | undefined
  /** Where endings are recorded. Defaults to the adapter's log, if it has one. */
  log?: RevocationLog | undefined
}

/** How the tokens of providers are stored and shown. */
export interface AccountOptions {
  /**
   * Whether tokens are encrypted before the adapter gets them. Defaults to true with our adapters. With
   * others, make sure their columns take texts of any length. Tokens stored as they are can still be read,
   * and are encrypted when they are next written.
   */
  encryptTokens?: boolean | undefined
  /**
   * Without an adapter: whether tokens are stored in an encrypted cookie for each provider, for `accounts.getAccessToken`.
   * Defaults to false.
   */
  storeTokensInCookie?: boolean | undefined
  /**
   * How many seconds a process caches an access token that it read from the store. Defaults to 30; 0 reads it each time.
   */
  tokenCacheSeconds?: number | undefined
  /**
   * Whether `session.error` is `RefreshTokenError` in a browser for which `accounts.getAccessToken` found that the
   * person has to sign in with the provider again, until they do. Kept in a cookie, so only where one can
   * be set. Defaults to false.
   */
  sessionError?: boolean | undefined
  /**
   * The providers whose access tokens scripts in the browser may have, by `GET access-token`. Defaults to
   * none. Refresh tokens never leave the server.
   *
   * @example
   * ```ts
   * import type { AuthConfig } from '@siteauth/core'
   *
   * export const account: AuthConfig['account'] = { exposeTokens: ['google'] }
   * ```
   */
  exposeTokens?: readonly string[] | undefined
}

/** How attempts are limited. */
export interface LimitsOptions {
  /** The store that counts attempts. Defaults to the adapter's limiter, otherwise to the memory of this process. */
  limiter?: Limiter | undefined
  /** Other rules than the default ones; `false` for none. */
  rules?: { readonly [Kind in LimitKind]?: LimitRules | false } | undefined
}

/**
 * Everything an application decides. Only `providers` is required; the secret usually comes from
 * `AUTH_SECRET`.
 *
 * @example
 * ```ts
 * import type { AuthConfig } from '@siteauth/core'
 * import Credentials from '@siteauth/core/providers/credentials'
 *
 * export const config: AuthConfig = {
 *   providers: [
 *     Credentials({
 *       credentials: { name: { label: 'Name' } },
 *       authorize: ({ name }) => (name === 'Ann' ? { id: '1', name: 'Ann' } : null),
 *     }),
 *   ],
 *   session: { maxAge: 8 * 60 * 60 },
 * }
 * ```
 */
export interface AuthConfig<Token = JWT, Sess = Session, Exposed extends string = string> {
  /** The ways to sign in, in the order the sign-in page shows them. */
  providers: Provider[]
  /**
   * Encrypts session tokens and cookies. With an array, the first encrypts and all of them decrypt,
   * so that secrets can be rotated. Defaults to `AUTH_SECRET`, preceded by `AUTH_SECRET_1` to `_3`.
   */
  secret?: string | string[] | undefined
  /** Where sessions are stored and how long they last. */
  session?: SessionOptions<Exposed> | undefined
  /** How the tokens of providers are stored and shown: see `accounts.getAccessToken`. */
  account?: AccountOptions | undefined
  /** How session tokens are encrypted, if you have reason to change that. */
  jwt?: Partial<JWTOptions> | undefined
  /** Your own pages instead of the built-in ones. */
  pages?: Partial<PagesOptions> | undefined
  /** Your functions that decide: who may sign in, what a session holds, where people go. */
  callbacks?: Partial<Callbacks<Token, Sess, Named<Exposed>>> | undefined
  /** Your functions that are called after something happened. They cannot change the outcome. */
  events?: Partial<EventCallbacks> | undefined
  /** Where users, accounts and sessions are stored. */
  adapter?: Adapter | undefined
  /** Log what happens in detail. Ignored if `logger` is set. */
  debug?: boolean | undefined
  /** Where errors, warnings and details go. Defaults to the console. */
  logger?: Partial<LoggerInstance> | undefined
  /** Colours and logo of the built-in pages and emails. */
  theme?: Theme | undefined
  /**
   * The language of the built-in pages and emails, as a tag such as `de`, or a function that
   * derives it from the request and may return undefined. By default, the visitor's browser
   * decides.
   *
   * @example
   * ```ts
   * import type { AuthConfig } from '@siteauth/core'
   *
   * export const config: AuthConfig = {
   *   providers: [],
   *   language: ({ headers }) => /\blang=(\w+)/.exec(headers.get('cookie') ?? '')?.[1],
   * }
   * ```
   */
  language?:
    | string
    | ((request: { url: string; headers: Headers }) => string | undefined)
    | undefined
  /**
   * Your own words for the built-in pages and emails, by language: some words of a built-in
   * language, or all of a new one. `{provider}`, `{host}` and `{email}` are filled in.
   *
   * @example
   * ```ts
   * import type { AuthConfig } from '@siteauth/core'
   *
   * export const config: AuthConfig = {
   *   providers: [],
   *   translations: {
   *     en: { signIn: 'Log in', signInWith: 'Log in with {provider}' },
   *     sv: { signIn: 'Logga in', signInWith: 'Logga in med {provider}' },
   *   },
   * }
   * ```
   */
  translations?: Readonly<Record<string, Translation>> | undefined
  /**
   * Whether cookies are only sent over HTTPS, under names that browsers protect. Defaults to the protocol of the
   * request's URL. The cookie that binds sessions to their browser is always so, and set on every site with HTTPS.
   */
  useSecureCookies?: boolean | undefined
  /** Other names and attributes for cookies, such as a `domain` shared by several hosts. */
  cookies?: Partial<CookiesOptions> | undefined
  /**
   * Whether to trust the host named in a request: `true`, or a list of the application's hosts.
   * Required if `AUTH_URL` is not set, since links and redirects are built from it. Behind a proxy
   * that passes on what visitors send, list the hosts. A `*` replaces one label: `*.example.com`.
   */
  trustHost?: boolean | readonly string[] | undefined
  /**
   * Other origins whose pages may call the endpoints that change something, such as
   * `https://app.example.com` for endpoints at `https://api.example.com`. A `*` replaces one label:
   * `https://*.example.com`.
   */
  trustedOrigins?: readonly string[] | undefined
  /**
   * How many attempts are allowed: at passwords and codes, by account and by network, and how many emails
   * are sent. `true` or `false` switches limits on or off; defaults to `true` unless `NODE_ENV` is
   * `development` or `test`.
   *
   * @example
   * ```ts
   * import type { AuthConfig } from '@siteauth/core'
   *
   * export const limits: AuthConfig['limits'] = {
   *   rules: {
   *     // Ten at once from one network, and one more every six seconds.
   *     credentials: { network: { burst: 10, refillSeconds: 6 } },
   *     callback: false,
   *   },
   * }
   * ```
   */
  limits?: boolean | LimitsOptions | undefined
  /**
   * How the address of a visitor is found, for the limits by network. With Express, its setting `trust proxy` decides
   * by default; elsewhere, addresses are unknown until you set this.
   *
   * @example
   * ```ts
   * import type { AuthConfig } from '@siteauth/core'
   *
   * export const config: AuthConfig = {
   *   providers: [],
   *   clientAddress: { trustedProxies: 1 }, // every request comes through your nginx
   * }
   * ```
   */
  clientAddress?: ClientAddress | undefined
  /** Set to the exported `skipCSRFCheck` to switch off the CSRF check. Other sites can then act. */
  skipCSRFCheck?: typeof skipCSRFCheck | undefined
  /** Set to the exported `raw` to get plain data instead of a `Response`. For integrations. */
  raw?: typeof raw | undefined
  /**
   * A stable URL that providers send people back to, and that passes them on to the deployment they
   * came from. Up to and including the base path. Defaults to `AUTH_REDIRECT_PROXY_URL`.
   */
  redirectProxyUrl?: string | undefined
  /**
   * The origins the redirect proxy passes provider responses on to, such as
   * `https://preview.example.com`. A `*` replaces one label, or a part of one:
   * `https://*.preview.example.com`, `https://app-*.example.com`. Set it on the proxy and on the
   * deployments behind it. Defaults to `AUTH_REDIRECT_PROXY_ORIGINS`, separated by commas.
   */
  redirectProxyOrigins?: readonly string[] | undefined
  /** Features that may change without notice. */
  experimental?: { enableWebAuthn?: boolean | undefined } | undefined
  /** Where the endpoints are. Defaults to the path of `AUTH_URL`, or `/auth`. */
  basePath?: string | undefined
  /** The clock, randomness and `fetch`, for tests. */
  ports?: Partial<Ports> | undefined
}
