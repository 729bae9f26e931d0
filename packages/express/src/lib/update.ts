import type { ServerResponse } from 'node:http'
import { demandConfig, update as updateBy } from '@siteauth/core/endpoints'
import type { JWT } from '@siteauth/core/jwt'
import type { SeenSession, Session } from '@siteauth/core/types'
import { applicationOf } from './applications.ts'
import type { ExpressAuthConfig } from './auth-config.ts'
import { callEngine } from './call-engine.ts'
import type { ServerRequest } from './express.ts'

/**
 * Hands changes to the `jwt` and `session` callbacks, with `trigger: 'update'`, and resolves with the session
 * that they make of them; null where nobody is signed in.
 *
 * @example
 * ```ts
 * import { type ExpressAuthConfig, update } from '@siteauth/express'
 * import type { Request, Response } from 'express'
 *
 * const config: ExpressAuthConfig = { providers: [] }
 *
 * export async function rename(req: Request, res: Response): Promise<void> {
 *   await update(req, res, config, { name: String(req.body.name) })
 *   res.redirect(303, '/account')
 * }
 * ```
 */
export async function update<Token = JWT, Sess = Session, Exposed extends string = never>(
  req: ServerRequest,
  res: ServerResponse,
  config: ExpressAuthConfig<Token, Sess, Exposed>,
  changes: unknown,
): Promise<SeenSession<Sess, Exposed, Token> | null> {
  if (res.headersSent) {
    throw new TypeError('update sets a cookie. Call it before the response begins.')
  }
  const resolved = demandConfig(applicationOf(config).resolved)
  const { body } = await callEngine(req, res, resolved, incoming =>
    updateBy(resolved, incoming, changes),
  )
  return body as SeenSession<Sess, Exposed, Token> | null // what the application's own callback returned
}
