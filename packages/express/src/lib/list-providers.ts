import { demandConfig, listProviders as listBy } from '@siteauth/core/endpoints'
import type { JWT } from '@siteauth/core/jwt'
import type { PublicProvider, Session } from '@siteauth/core/types'
import { applicationOf, relyOnPath } from './applications.ts'
import type { ExpressAuthConfig } from './auth-config.ts'
import { receiveFrom } from './call-engine.ts'
import type { ServerRequest } from './express.ts'

/**
 * The ways to sign in, in the order of the configuration, for a sign-in page of your own. Where several begin
 * with an address, `lastUsed` says which one this browser signed in with last.
 *
 * @example
 * ```ts
 * import { type ExpressAuthConfig, listProviders } from '@siteauth/express'
 * import type { Request, Response } from 'express'
 *
 * const config: ExpressAuthConfig = { providers: [] }
 *
 * export async function login(req: Request, res: Response): Promise<void> {
 *   res.set('cache-control', 'private, no-store')
 *   res.render('login', { providers: await listProviders(req, config) })
 * }
 * ```
 */
export async function listProviders<Token = JWT, Sess = Session, Exposed extends string = never>(
  req: ServerRequest,
  config: ExpressAuthConfig<Token, Sess, Exposed>,
): Promise<readonly PublicProvider[]> {
  const known = applicationOf(config)
  const resolved = demandConfig(known.resolved)
  relyOnPath(known, config) // the URLs lead there
  return listBy(resolved, receiveFrom(req, resolved))
}
