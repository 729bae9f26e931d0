import type { JWT } from '@siteauth/core/jwt'
import type { Session } from '@siteauth/core/types'
import type { NextAuthConfig } from './auth-config.ts'

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
