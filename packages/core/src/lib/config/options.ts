import type { Callbacks, EventCallbacks } from '../callbacks.ts'
import type { CookieAttributes } from '../http/cookies.ts'
import type { LoggerInstance } from '../logger.ts'
import type { Adapter, JWT, Session } from '../model.ts'
import type { Ports } from '../ports.ts'
import type { Provider } from '../providers/provider.ts'
import type { JWTOptions } from '../session/jwt.ts'
import type { Theme } from '../theme.ts'

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
  signIn: string
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
  sessionToken: CookieOverride
  callbackUrl: CookieOverride
  csrfToken: CookieOverride
  /** The name that the cookies of sign-ins under way start with. */
  state: CookieOverride
  /** Without effect: the PKCE verifier is part of the cookie named by `state`. */
  pkceCodeVerifier: CookieOverride
  /** Without effect: the nonce is part of the cookie named by `state`. */
  nonce: CookieOverride
  webauthnChallenge: CookieOverride
  /** Tells the browser that asked for a link by email from any other. */
  emailRequest: CookieOverride
}

/** How sessions are kept. */
export interface SessionOptions {
  /**
   * `jwt`: in an encrypted cookie. `database`: in a row behind the adapter. Defaults to `database`
   * where there is an adapter.
   */
  strategy?: 'jwt' | 'database' | undefined
  /** Idle time until a session ends, in seconds. Defaults to 30 days. */
  maxAge?: number | undefined
  /**
   * How old a session gets before it is renewed, in seconds; 0 renews at every access. Defaults to
   * one day, or to half of `maxAge` where that is less.
   */
  updateAge?: number | undefined
  /** Makes the token of a database session. Defaults to a random UUID. */
  generateSessionToken?: (() => string) | undefined
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
export interface AuthConfig<Token = JWT, Sess = Session> {
  /** The ways to sign in, in the order of the sign-in page. */
  providers: Provider[]
  /**
   * Seals session tokens and cookies. With an array the first seals and any of them opens, so that
   * secrets can be rotated. Defaults to `AUTH_SECRET`, with `AUTH_SECRET_1` to `_3` before it.
   */
  secret?: string | string[] | undefined
  session?: SessionOptions | undefined
  jwt?: Partial<JWTOptions> | undefined
  pages?: Partial<PagesOptions> | undefined
  callbacks?: Partial<Callbacks<Token, Sess>> | undefined
  events?: Partial<EventCallbacks> | undefined
  /** Where users, accounts and sessions are stored. */
  adapter?: Adapter | undefined
  /** Log what happens in detail. Ignored where `logger` is set. */
  debug?: boolean | undefined
  /** Defaults to the console. */
  logger?: Partial<LoggerInstance> | undefined
  theme?: Theme | undefined
  /**
   * Whether cookies are sent over HTTPS only, under names that browsers guard. Defaults to what the
   * URL of the request says.
   */
  useSecureCookies?: boolean | undefined
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
  skipCSRFCheck?: typeof skipCSRFCheck | undefined
  raw?: typeof raw | undefined
  /**
   * A stable URL that providers send people back to, which passes them on to the deployment they
   * came from. Up to and including the base path. Defaults to `AUTH_REDIRECT_PROXY_URL`.
   */
  redirectProxyUrl?: string | undefined
  /** Features that may change without notice. */
  experimental?: { enableWebAuthn?: boolean | undefined } | undefined
  /** Where the endpoints are. Defaults to the path of `AUTH_URL`, or `/auth`. */
  basePath?: string | undefined
  /** The clock, randomness and `fetch`, for tests. */
  ports?: Partial<Ports> | undefined
}
