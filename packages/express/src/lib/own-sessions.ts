import type { ServerResponse } from 'node:http'
import {
  demandConfig,
  endSession as endBy,
  endOtherSessions as endOthersBy,
  listSessions as listBy,
} from '@siteauth/core/endpoints'
import type { JWT } from '@siteauth/core/jwt'
import type { ListedSession, Session } from '@siteauth/core/types'
import { applicationOf } from './applications.ts'
import type { ExpressAuthConfig } from './auth-config.ts'
import { callEngine, receiveFrom } from './call-engine.ts'
import type { ServerRequest } from './express.ts'

/**
 * The sessions of whoever is signed in, the latest seen first and at most a hundred; empty where nobody is.
 * Sessions in cookies are listed where they are tracked: see `session.track`.
 *
 * @example
 * ```ts
 * import { type ExpressAuthConfig, listSessions } from '@siteauth/express'
 * import type { Request, Response } from 'express'
 *
 * const config: ExpressAuthConfig = { providers: [] }
 *
 * export async function devices(req: Request, res: Response): Promise<void> {
 *   res.set('cache-control', 'private, no-store')
 *   res.render('devices', { sessions: await listSessions(req, config) })
 * }
 * ```
 */
export async function listSessions<Token = JWT, Sess = Session, Exposed extends string = never>(
  req: ServerRequest,
  config: ExpressAuthConfig<Token, Sess, Exposed>,
): Promise<readonly ListedSession[]> {
  const resolved = demandConfig(applicationOf(config).resolved)
  return listBy(resolved, receiveFrom(req, resolved))
}

/**
 * Ends one session of whoever is signed in, by its handle; if it is the visitor's own, its cookie goes.
 * Resolves with whether there was such a session. One of somebody else is as unknown as one that does not
 * exist.
 *
 * @example
 * ```ts
 * import { endSession, type ExpressAuthConfig } from '@siteauth/express'
 * import type { Request, Response } from 'express'
 *
 * const config: ExpressAuthConfig = { providers: [] }
 *
 * export async function endDevice(req: Request, res: Response): Promise<void> {
 *   await endSession(req, res, config, req.body.handle)
 *   res.redirect('/devices')
 * }
 * ```
 */
export async function endSession<Token = JWT, Sess = Session, Exposed extends string = never>(
  req: ServerRequest,
  res: ServerResponse,
  config: ExpressAuthConfig<Token, Sess, Exposed>,
  handle: string,
): Promise<boolean> {
  const resolved = demandConfig(applicationOf(config).resolved)
  const { body } = await callEngine(req, res, resolved, incoming =>
    endBy(resolved, incoming, handle),
  )
  return body.ended
}

/**
 * Ends all sessions of whoever is signed in but this one. Those in cookies have to be tracked: see
 * `session.track`. Resolves with whether anyone is signed in.
 */
export async function endOtherSessions<Token = JWT, Sess = Session, Exposed extends string = never>(
  req: ServerRequest,
  res: ServerResponse,
  config: ExpressAuthConfig<Token, Sess, Exposed>,
): Promise<boolean> {
  const resolved = demandConfig(applicationOf(config).resolved)
  const { body } = await callEngine(req, res, resolved, incoming => endOthersBy(resolved, incoming))
  return body.ended
}
