import type { ServerResponse } from 'node:http'
import type { JWT } from '@siteauth/core/jwt'
import type { SeenSession, Session } from '@siteauth/core/types'
import type { ExpressAuthConfig } from './auth-config.ts'
import { readSession, type SessionRequest } from './read-session.ts'

/** What `getSession` returns. */
export type GetSessionResult = Promise<Session | null>

/**
 * Who is signed in, or null. Throws an `AuthError` if that is unknown. With `res`, also renews the
 * session when it is due, so people who come back in time stay signed in. Several calls for one
 * request cost one read.
 *
 * @example
 * ```ts
 * import { type ExpressAuthConfig, getSession } from '@siteauth/express'
 * import type { Request, Response } from 'express'
 *
 * const config: ExpressAuthConfig = { providers: [] }
 *
 * export async function me(req: Request, res: Response): Promise<void> {
 *   const session = await getSession(req, res, config)
 *   res.json(session?.user ?? null)
 * }
 * ```
 */
export function getSession<Token = JWT, Sess = Session, Exposed extends string = never>(
  req: SessionRequest,
  config: ExpressAuthConfig<Token, Sess, Exposed>,
): Promise<SeenSession<Sess, Exposed, Token> | null>
export function getSession<Token = JWT, Sess = Session, Exposed extends string = never>(
  req: SessionRequest,
  res: ServerResponse,
  config: ExpressAuthConfig<Token, Sess, Exposed>,
): Promise<SeenSession<Sess, Exposed, Token> | null>
export function getSession(req: SessionRequest, first: object, second?: object): Promise<unknown> {
  try {
    // Not `async`: to make a function wait that need not costs as much as what it does.
    return Promise.resolve(
      second === undefined
        ? readSession(req, first, undefined)
        : readSession(req, second, first as ServerResponse), // as the declarations above say
    )
  } catch (error) {
    return Promise.reject(error)
  }
}
