import type { ServerResponse } from 'node:http'
import { demandConfig, signOut as signOutBy } from '@siteauth/core/endpoints'
import type { JWT } from '@siteauth/core/jwt'
import type { Session } from '@siteauth/core/types'
import { applicationOf } from './applications.ts'
import type { ExpressAuthConfig } from './auth-config.ts'
import { callEngine } from './call-engine.ts'
import type { ServerRequest } from './express.ts'
import { writeRedirect } from './write-redirect.ts'

/** How to sign someone out. */
export interface SignOutOptions {
  /** False: don't respond, just remove the cookie and resolve with the URL to go to. */
  redirect?: boolean | undefined
  /** The path to go to afterwards. Defaults to the visitor's current page. */
  redirectTo?: string | undefined
}

/**
 * Signs the visitor out from your own handler: ends the session and removes its cookie. Resolves
 * with the URL the visitor is sent to.
 *
 * @example
 * ```ts
 * import { type ExpressAuthConfig, signOut } from '@siteauth/express'
 * import type { Request, Response } from 'express'
 *
 * const config: ExpressAuthConfig = { providers: [] }
 *
 * export async function logout(req: Request, res: Response): Promise<void> {
 *   await signOut(req, res, config, { redirectTo: '/' })
 * }
 * ```
 */
export async function signOut<Token = JWT, Sess = Session, Exposed extends string = never>(
  req: ServerRequest,
  res: ServerResponse,
  config: ExpressAuthConfig<Token, Sess, Exposed>,
  { redirect = true, redirectTo }: SignOutOptions = {},
): Promise<string> {
  const resolved = demandConfig(applicationOf(config).resolved)
  const { to } = await callEngine(req, res, resolved, incoming =>
    signOutBy(resolved, incoming, { redirectTo }),
  )
  if (redirect) writeRedirect(res, to)
  return to
}
