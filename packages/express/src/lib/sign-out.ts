import type { ServerResponse } from 'node:http'
import { signOut as signOutBy, usable } from '@siteauth/core/endpoints'
import type { JWT } from '@siteauth/core/jwt'
import type { Session } from '@siteauth/core/types'
import type { ExpressAuthConfig } from './auth-config.ts'
import { callEngine } from './call-engine.ts'
import type { ServerRequest } from './express.ts'
import { settle } from './resolutions.ts'
import { writeRedirect } from './write-response.ts'

/** How somebody signs out. */
export interface SignOutOptions {
  /** False: do not answer, only remove the cookie and resolve with the URL to go to. */
  redirect?: boolean | undefined
  /** Where to go then, a path. Defaults to the page that the visitor is on. */
  redirectTo?: string | undefined
}

/**
 * Signs the visitor out from a handler of the application: ends the session and removes its cookie.
 * Resolves with the URL that the visitor is sent to.
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
  const resolved = usable(settle(config).resolution)
  const { to } = await callEngine(req, res, resolved, incoming =>
    signOutBy(resolved, incoming, { redirectTo }),
  )
  if (redirect) writeRedirect(res, to)
  return to
}
