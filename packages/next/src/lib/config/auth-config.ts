import type { AuthConfig } from '@siteauth/core'
import type { JWT } from '@siteauth/core/jwt'
import type { Callbacks, Named, SeenSession, Session } from '@siteauth/core/types'
import type { NextRequest } from 'next/server.js'

/** What the `authorized` callback receives. */
export interface AuthorizedParams<Sess = Session> {
  /** As Next hands it on; nothing in it is changed. */
  request: NextRequest
  /** Who is signed in, or null. */
  auth: Sess | null
}

/** True lets the request pass, a response is the answer, anything else sends people to sign in. */
export type AuthorizedResult = boolean | Response | undefined

/** The places at which an application decides, with one more than the engine has. */
export interface NextAuthCallbacks<Token = JWT, Sess = Session, Exposed extends string = never>
  extends Callbacks<Token, Sess, Exposed> {
  /**
   * May this request pass the proxy, or the route handler that `auth` wraps? Decides before the
   * wrapped function runs. The library's own endpoints and the pages under `pages` always pass.
   */
  authorized(
    params: AuthorizedParams<SeenSession<NoInfer<Sess>, Exposed, Token>>,
  ): AuthorizedResult | Promise<AuthorizedResult>
}

/** What an application decides: the engine's configuration without `raw`. It is only ever read. */
export interface NextAuthConfig<Token = JWT, Sess = Session, Exposed extends string = string>
  extends Omit<AuthConfig<Token, Sess, Exposed>, 'raw' | 'callbacks'> {
  callbacks?: Partial<NextAuthCallbacks<Token, Sess, Named<Exposed>>> | undefined
}

/** The same under the name that goes with `SiteAuth`. */
export type SiteAuthConfig<
  Token = JWT,
  Sess = Session,
  Exposed extends string = string,
> = NextAuthConfig<Token, Sess, Exposed>

/**
 * Returns the configuration as it is, with the types of what its callbacks exchange. Use it where the
 * configuration is in a file of its own. An annotation with `SiteAuthConfig` instead forgets what the
 * callbacks return.
 *
 * @example
 * ```ts
 * import SiteAuth, { defineConfig, type SessionOf } from '@siteauth/next'
 * import { useSession } from '@siteauth/next/react'
 *
 * const config = defineConfig({ providers: [], session: { expose: ['id'] } })
 *
 * export const { handlers, auth } = SiteAuth(config)
 *
 * export function useMyId(): string | undefined {
 *   return useSession<SessionOf<typeof config>>().data?.user.id
 * }
 * ```
 */
export function defineConfig<Token = JWT, Sess = Session, Exposed extends string = never>(
  config: NextAuthConfig<Token, Sess, Exposed>,
): NextAuthConfig<Token, Sess, Exposed> {
  return config
}
