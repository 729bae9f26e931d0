import type { AuthConfig } from '@siteauth/core'
import type { JWT } from '@siteauth/core/jwt'
import type { Callbacks, ExposedSession, Named, Session } from '@siteauth/core/types'
import type { NextRequest } from 'next/server.js'

/** What the `authorized` callback receives. */
export interface AuthorizedParams<Sess = Session> {
  /** As Next passes it on, unchanged. */
  request: NextRequest
  /** Who is signed in, or null. */
  auth: Sess | null
}

/**
 * True lets the request through, a response is sent as is, anything else sends people to sign in.
 */
export type AuthorizedResult = boolean | Response | undefined

/** Where an application decides, with one more callback than the engine has. */
export interface NextAuthCallbacks<Token = JWT, Sess = Session, Exposed extends string = never>
  extends Callbacks<Token, Sess, Exposed> {
  /**
   * May this request pass the proxy, or the route handler wrapped in `auth`? Decides before the
   * wrapped function runs. The library's endpoints and the pages in `pages` are always let through.
   */
  authorized(
    params: AuthorizedParams<ExposedSession<NoInfer<Sess>, Exposed, Token>>,
  ): AuthorizedResult | Promise<AuthorizedResult>
}

/** What an application decides: the engine's configuration without `raw`. It is never modified. */
export interface NextAuthConfig<Token = JWT, Sess = Session, Exposed extends string = string>
  extends Omit<AuthConfig<Token, Sess, Exposed>, 'raw' | 'callbacks'> {
  callbacks?: Partial<NextAuthCallbacks<Token, Sess, Named<Exposed>>> | undefined
}

/** The same, under the name that goes with `SiteAuth`. */
export type SiteAuthConfig<
  Token = JWT,
  Sess = Session,
  Exposed extends string = string,
> = NextAuthConfig<Token, Sess, Exposed>

/**
 * Returns the configuration as it is, keeping its callbacks' types. Use it if the configuration is
 * in a separate file. A `SiteAuthConfig` annotation would lose what the callbacks return.
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
