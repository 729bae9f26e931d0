import type { JWT } from '@siteauth/core/jwt'
import type { Session } from '@siteauth/core/types'
import type { ExpressAuthConfig } from './auth-config.ts'

/**
 * Returns the configuration as it is, keeping its callbacks' types for `SiteAuth` and `getSession`. An
 * `ExpressAuthConfig` annotation would lose them.
 *
 * @example
 * ```ts
 * import { defineConfig, getSession, type SessionOf } from '@siteauth/express'
 * import type { Request } from 'express'
 *
 * const config = defineConfig({ providers: [], session: { expose: ['id'] } })
 *
 * export async function currentUser(req: Request): Promise<SessionOf<typeof config>['user'] | null> {
 *   const session = await getSession(req, config)
 *   return session?.user ?? null
 * }
 * ```
 */
export function defineConfig<Token = JWT, Sess = Session, Exposed extends string = never>(
  config: ExpressAuthConfig<Token, Sess, Exposed>,
): ExpressAuthConfig<Token, Sess, Exposed> {
  return config
}
