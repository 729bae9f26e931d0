import type {
  AuthCalls,
  IntegrationConfig,
  RequireSessionMiddlewareOptions,
  RequireSessionOptions,
} from '@siteauth/core/integration'
import type { JWT } from '@siteauth/core/jwt'
import type { Session } from '@siteauth/core/types'
import type { EventHandler, H3Event } from 'h3'

/**
 * The configuration of an application, or a function that makes one of the first request: on Cloudflare Workers,
 * stores come with requests.
 */
export type H3AuthConfig<
  Token = JWT,
  Sess = Session,
  Exposed extends string = string,
> = IntegrationConfig<H3Event, Token, Sess, Exposed>

/** Options by which `requireSession` is a guard in front of many routes, rather than a call in one. */
export interface RequiredExcept<Sess = Session> extends RequireSessionMiddlewareOptions<Sess> {
  readonly except: readonly string[]
}

/** As much of a Nitro application as is used. */
export interface NitroLike {
  readonly hooks: { hook(name: 'request', run: (event: H3Event) => void): unknown }
}

/** What the server knows and the package does not. */
export interface PluginOptions {
  /** Whether pages are being prerendered: `import.meta.prerender`. */
  readonly isPrerendering?: boolean | undefined
  /** Where pages expect the endpoints. */
  readonly basePath?: string | undefined
}

/** The library, set up for one application. The other calls take an event as well. */
export interface H3Auth<Sess = Session> extends AuthCalls<[event: H3Event], Response, Sess> {
  /**
   * Answers requests to the endpoints, and lets all others pass. With h3 alone: `app.use(auth.handler)`, before
   * your own. The Nuxt module does it for you.
   */
  readonly handler: EventHandler
  /**
   * For Nitro without Nuxt: `export default defineNitroPlugin(auth.plugin)` in `server/plugins/`. Requests that the
   * server makes to itself then have their cookies set in the browser.
   */
  readonly plugin: (nitro: NitroLike, options?: PluginOptions) => void
  /**
   * Who is signed in, or null. Throws an `AuthError` if that is unknown. Renews the session when it is due.
   * Several calls for one event cost one read. Null for everybody where the answer is kept for everybody: on
   * prerendered pages, and by `routeRules` with `cache`, `swr` or `isr`.
   */
  getSession(event: H3Event): Promise<Sess | null>
  /**
   * Resolves with the session if a user is signed in. People are sent to sign in, with `callbackUrl` naming the page to
   * return to; programs get 401. Users that `allow` rejects get 403, and everybody gets 503 while the store is down.
   * Throws as h3's own errors are thrown, so call it outside of `try`.
   */
  requireSession(event: H3Event, options?: RequireSessionOptions<Sess>): Promise<Sess>
  /**
   * The same as a handler for `server/middleware/`, in front of all routes: `export default auth.requireSession({ except:
   * ['/login'] })`. `except` names the paths that it exempts, as browsers request them, with `app.baseURL` and below any
   * mount; pass an empty list if there are none.
   */
  requireSession(options: RequiredExcept<Sess>): EventHandler
}
