import type { ServerResponse } from 'node:http'
import { demandConfig, rotate as rotateBy } from '@siteauth/core/endpoints'
import type { JWT } from '@siteauth/core/jwt'
import type { SeenSession, Session } from '@siteauth/core/types'
import { applicationOf } from './applications.ts'
import type { ExpressAuthConfig } from './auth-config.ts'
import { callEngine } from './call-engine.ts'
import type { ServerRequest } from './express.ts'

/**
 * Gives the session of this browser a new token, for when somebody may do more than before, or has a new
 * password. The old token ends within 30 seconds, so that requests that are under way still work. Resolves
 * with the session; null where nobody is signed in.
 *
 * @example
 * ```ts
 * import { type ExpressAuthConfig, rotate } from '@siteauth/express'
 * import type { Request, Response } from 'express'
 *
 * const config: ExpressAuthConfig = { providers: [] }
 *
 * export async function changePassword(req: Request, res: Response): Promise<void> {
 *   await storeHash(req)
 *   await rotate(req, res, config)
 *   res.redirect('/account')
 * }
 * declare function storeHash(req: Request): Promise<void> // your database
 * ```
 */
export async function rotate<Token = JWT, Sess = Session, Exposed extends string = never>(
  req: ServerRequest,
  res: ServerResponse,
  config: ExpressAuthConfig<Token, Sess, Exposed>,
): Promise<SeenSession<Sess, Exposed, Token> | null> {
  if (res.headersSent) {
    throw new TypeError('rotate sets a cookie. Call it before the response begins.')
  }
  const resolved = demandConfig(applicationOf(config).resolved)
  const { body } = await callEngine(req, res, resolved, incoming => rotateBy(resolved, incoming))
  return body as SeenSession<Sess, Exposed, Token> | null // what the application's own callback returned
}
