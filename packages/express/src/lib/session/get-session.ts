import type { ServerResponse } from 'node:http'
import type { JWT } from '@siteauth/core/jwt'
import type { ExposedSession, Session } from '@siteauth/core/types'
import type { ExpressAuthConfig } from '../auth-config.ts'
import { readSession, type SessionRequest } from './read-session.ts'

/** What `getSession` returns. */
export type GetSessionResult = Promise<Session | null>

/**
 * Returns the visitor's session, or null if the visitor is not signed in, and leaves the response alone. Throws an
 * `AuthError` if the session cannot be read. Several calls for one request cost one read. `auth.getSession(req)` of
 * `SiteAuth` also renews the session when it is due.
 *
 * @example
 * ```ts
 * import { type ExpressAuthConfig, getSession } from '@siteauth/express'
 * import type { Request, Response } from 'express'
 *
 * const config: ExpressAuthConfig = { providers: [] }
 *
 * export async function me(req: Request, res: Response): Promise<void> {
 *   const session = await getSession(req, config)
 *   res.json(session?.user ?? null)
 * }
 * ```
 */
export function getSession<Token = JWT, Sess = Session, Exposed extends string = never>(
  req: SessionRequest,
  config: ExpressAuthConfig<Token, Sess, Exposed>,
): Promise<ExposedSession<Sess, Exposed, Token> | null> {
  return promiseSession<ExposedSession<Sess, Exposed, Token>>(req, config, undefined)
}

/** Reads a session. With a response, renews it when it is due. */
export function promiseSession<Seen>(
  req: SessionRequest,
  config: object,
  res: ServerResponse | undefined,
): Promise<Seen | null> {
  try {
    // Not `async`: to make a function wait that need not costs as much as what it does.
    return Promise.resolve(readSession(req, config, res)) as Promise<Seen | null> // by the application's own callback
  } catch (error) {
    return Promise.reject(error)
  }
}
