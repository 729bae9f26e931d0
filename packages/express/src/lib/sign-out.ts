import type { ServerResponse } from 'node:http'
import { usable } from '@siteauth/core/endpoints'
import type { JWT } from '@siteauth/core/jwt'
import type { Session } from '@siteauth/core/types'
import type { ExpressAuthConfig } from './auth-config.ts'
import type { ServerRequest } from './express.ts'
import { ownCall } from './own-call.ts'
import { ownOrigin } from './own-origin.ts'
import { settle } from './resolutions.ts'
import { destination, ownReferer } from './sign-in-page.ts'
import { toRequest } from './to-request.ts'
import { writeRedirect } from './write-response.ts'

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
  const { resolution } = settle(config)
  usable(resolution)
  const callbackUrl = destination(
    resolution.frame,
    redirectTo,
    ownReferer(req, ownOrigin(resolution.frame, toRequest(req, '/'))),
  )
  const to = await ownCall(req, res, resolution, 'signout', { callbackUrl })
  if (redirect) writeRedirect(res, to)
  return to
}
