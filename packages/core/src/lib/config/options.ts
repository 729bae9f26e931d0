import type { Callbacks, EventCallbacks } from '../base/callbacks.ts'
import type { LoggerInstance } from '../base/logger.ts'
import type { Adapter, JWT, RevocationLog, Session } from '../base/model.ts'
import type { Ports } from '../base/ports.ts'
import type { Named } from '../base/session-types.ts'
import type { CookieAttributes } from '../http/cookies.ts'
import type { Theme } from '../look/theme.ts'
import type { Translation } from '../look/words/words.ts'
import type { Provider } from '../providers/provider.ts'
import type { JWTOptions } from '../session/jwt.ts'

/**
 * Set as `raw` to get plain data instead of a `Response`. For framework integrations.
 *
 * @internal
 */
export const raw: unique symbol = Symbol.for('siteauth.raw') as never

/**
 * Set as `skipCSRFCheck` to switch the CSRF check off. Any page on the web can then sign your
 * visitors in and out, unless something else of yours prevents it: frameworks that check the origin
 * of every form do.
 *
 * @example
 * ```ts
 * import { type AuthConfig, skipCSRFCheck } from '@siteauth/core'
 *
 * export const config: AuthConfig = { providers: [], skipCSRFCheck }
 * ```
 */
export const skipCSRFCheck: unique symbol = Symbol.for('siteauth.skip-csrf-check') as never

/** The pages that an application can replace, each by a path or a URL. */
export interface PagesOptions {
  /** Receives `callbackUrl`, and after a failure `error` and perhaps `code`, in its query. */
  signIn: string
  /** Asks whether to sign out. */
  signOut: string
  /** Receives `error` in its query. */
  error: string
  /** Shown after a link was sent by email. */
  verifyRequest: string
  /** Shown instead of the page to return to, when somebody signs in for the first time. */
  newUser: string
}

/** The cookies of the library. Each may be given in part; the rest keeps its default. */
export type CookieOverride = { name?: string; options?: CookieAttributes }

/** Names and attributes of the cookies. */
export interface CookiesOptions {
  /** The session: the sealed token, or the key of its row. Split in parts where it is large. */
  sessionToken: CookieOverride
  /** Where to return to after signing in. */
  callbackUrl: CookieOverride
  /** What forms have to repeat, so that other sites cannot send them. */
  csrfToken: CookieOverride
  /** The name that the cookies of sign-ins under way start with. */
  state: CookieOverride
  /** Without effect: the PKCE verifier is part of the cookie named by `state`. */
  pkceCodeVerifier: CookieOverride
  /** Without effect: the nonce is part of the cookie named by `state`. */
  nonce: CookieOverride
  /** The challenge that a passkey has to answer. */
  webauthnChallenge: CookieOverride
  /** Tells the browser that asked for a link by email from any other. */
  emailRequest: CookieOverride
  /** Who somebody said to be, for two minutes, so that the built-in page can show it again. */
  signInForm: CookieOverride
}

/** How sessions are kept. */
export interface SessionOptions<Exposed extends string = string> {
  /**
   * `jwt`: in an encrypted cookie. `database`: in a row behind the adapter. Defaults to `database`
   * where there is an adapter.
   */
  strategy?: 'jwt' | 'database' | undefined
  /** Idle time until a session ends, in seconds. Defaults to 30 days. */
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
   * Whether the database holds hashes of session tokens, so that nobody can sign in with what they read
   * there. `migrate` also accepts sessions that were stored before, and hashes each when it is next used.
   * Once those have expired, set `true`. For the strategy `database`; defaults to `false`.
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
  hashTokens?: boolean | 'migrate' | undefined
  /**
   * How old a session gets before it is renewed, in seconds; 0 renews at every access. Defaults to
   * one day, or to half of `maxAge` where that is less.
   */
  updateAge?: number | undefined
  /**
   * Whom sessions are for, such as the name of a tenant. Tenants that share a secret, or a database,
   * then refuse each other's sessions, sign-ins under way, forms and links by email. Setting or
   * changing it signs everybody out.
   */
  audience?: string | undefined
  /**
   * What the browser sees of the user beside name, email and image: columns of the user with a database,
   * claims of the token with JWT sessions, where signing in puts them there. `auth()` and `getSession()`
   * know the types, from `User` or from what your `jwt` callback returns.
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
   * How sessions in cookies are ended before their time, under the strategy `jwt`. They can be wherever
   * the adapter keeps a log of it, as all of ours do, or where one is given here. `false` has them live
   * until they expire.
   */
  revocation?: RevocationOptions | false | undefined
  /** Makes the token of a database session. Defaults to a random UUID. */
  generateSessionToken?: (() => string) | undefined
}

/** How sessions in cookies are ended before their time. */
interface RevocationOptions {
  /**
   * `view`: each process holds a copy of what was ended, so that checking a session asks nobody.
   * `renewal`: the store is asked when a session is renewed, for servers that keep nothing between
   * requests; a session that was ended is accepted until then. Defaults to `view`.
   */
  check?: 'view' | 'renewal' | undefined
  /** How far behind the store a process may be, in seconds, if nobody tells it at once. Defaults to 10. */
  pollEvery?: number | undefined
  /**
   * For how long sessions are accepted while the store does not answer, in seconds. Defaults to five
   * minutes.
   */
  maxStale?: number | undefined
  /**
   * After that, whether somebody is signed in is `unknown` and answered with 503; or sessions are
   * accepted all the same. Defaults to `unknown`.
   */
  whenStale?: 'unknown' | 'accept' | undefined
  /** Where ends are recorded. Defaults to that of the adapter, if it has one. */
  log?: RevocationLog | undefined
}

/**
 * Everything that an application decides. Only `providers` is needed; the secret usually comes from
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
  /** The ways to sign in, in the order of the sign-in page. */
  providers: Provider[]
  /**
   * Seals session tokens and cookies. With an array the first seals and any of them opens, so that
   * secrets can be rotated. Defaults to `AUTH_SECRET`, with `AUTH_SECRET_1` to `_3` before it.
   */
  secret?: string | string[] | undefined
  /** Where sessions are kept and how long they live. */
  session?: SessionOptions<Exposed> | undefined
  /** How session tokens are sealed, for those who have reasons to do it otherwise. */
  jwt?: Partial<JWTOptions> | undefined
  /** Pages of your own instead of the built-in ones. */
  pages?: Partial<PagesOptions> | undefined
  /** Functions of yours that decide: who may sign in, what a session holds, where people go. */
  callbacks?: Partial<Callbacks<Token, Sess, Named<Exposed>>> | undefined
  /** Functions of yours that are told what happened. They decide nothing. */
  events?: Partial<EventCallbacks> | undefined
  /** Where users, accounts and sessions are stored. */
  adapter?: Adapter | undefined
  /** Log what happens in detail. Ignored where `logger` is set. */
  debug?: boolean | undefined
  /** Where errors, warnings and details go. Defaults to the console. */
  logger?: Partial<LoggerInstance> | undefined
  /** Colours and logo of the built-in pages and messages. */
  theme?: Theme | undefined
  /**
   * The language of the built-in pages and messages, as a tag such as `de`; or a function that knows
   * it from the request, and may leave it open. Otherwise the visitor's browser says.
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
   * Words of your own for the built-in pages and messages, by language: some of a language that there
   * is, or all of one that there is not. `{provider}`, `{host}` and `{email}` are filled in.
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
   * Whether cookies are sent over HTTPS only, under names that browsers guard. Defaults to what the
   * URL of the request says.
   */
  useSecureCookies?: boolean | undefined
  /** Other names and attributes for cookies, such as a `domain` that several hosts share. */
  cookies?: Partial<CookiesOptions> | undefined
  /**
   * Whether the host that a request names is believed: `true`, or a list of the hosts that the
   * application answers for. Needed where `AUTH_URL` is not set, since links and redirects are built
   * from it. Behind a proxy that passes on what visitors send, list the hosts.
   */
  trustHost?: boolean | readonly string[] | undefined
  /**
   * Further origins whose pages may call the endpoints that change something, such as
   * `https://app.example.com` for endpoints at `https://api.example.com`.
   */
  trustedOrigins?: readonly string[] | undefined
  /** Set to the exported `skipCSRFCheck` to switch the CSRF check off. Other sites can then act. */
  skipCSRFCheck?: typeof skipCSRFCheck | undefined
  /** Set to the exported `raw` to get plain data instead of a `Response`. For integrations. */
  raw?: typeof raw | undefined
  /**
   * A stable URL that providers send people back to, which passes them on to the deployment they
   * came from. Up to and including the base path. Defaults to `AUTH_REDIRECT_PROXY_URL`.
   */
  redirectProxyUrl?: string | undefined
  /**
   * The origins that the redirect proxy hands answers of providers to, such as
   * `https://preview.example.com`. A `*` stands for characters of one label:
   * `https://*.preview.example.com`, `https://app-*.example.com`. Set it at the proxy and at the
   * deployments behind it. Defaults to `AUTH_REDIRECT_PROXY_ORIGINS`, where commas separate them.
   */
  redirectProxyOrigins?: readonly string[] | undefined
  /** Features that may change without notice. */
  experimental?: { enableWebAuthn?: boolean | undefined } | undefined
  /** Where the endpoints are. Defaults to the path of `AUTH_URL`, or `/auth`. */
  basePath?: string | undefined
  /** The clock, randomness and `fetch`, for tests. */
  ports?: Partial<Ports> | undefined
}
