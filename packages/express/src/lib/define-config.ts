import type { JWT } from '@siteauth/core/jwt'
import type { Session } from '@siteauth/core/types'
import type { ExpressAuthConfig } from './auth-config.ts'

/**
 * Returns the configuration as it is, keeping its callbacks' types for `getSession` and
 * `res.locals.session`. An `ExpressAuthConfig` annotation would lose them.
 *
 * @example
 * ```ts
 * import { defineConfig, requireSession } from '@siteauth/express'
 * import express from 'express'
 *
 * const config = defineConfig({ providers: [], session: { expose: ['id'] } })
 *
 * const app = express()
 * app.get('/me', requireSession(config), (_req, res) => {
 *   res.type('text').send(res.locals.session.user.id)
 * })
 * ```
 */
export function defineConfig<Token = JWT, Sess = Session, Exposed extends string = never>(
  config: ExpressAuthConfig<Token, Sess, Exposed>,
): ExpressAuthConfig<Token, Sess, Exposed> {
  return config
}
