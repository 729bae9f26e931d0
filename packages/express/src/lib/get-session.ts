import type { IncomingMessage, ServerResponse } from 'node:http'
import { serializeCookie } from '@siteauth/core/cookies'
import { usable } from '@siteauth/core/endpoints'
import { checkSession, siteOf } from '@siteauth/core/integration'
import type { JWT } from '@siteauth/core/jwt'
import type { Session } from '@siteauth/core/types'
import { schemeOf } from './address.ts'
import type { ExpressAuthConfig } from './auth-config.ts'
import { cookieHeaderOf } from './cookie-header.ts'
import { stateOf } from './request-state.ts'
import { settle } from './resolutions.ts'
import { addCookies, isOver } from './write-response.ts'

/** What is needed of a request to know who sent it. One of Node's own will do. */
export type SessionRequest = IncomingMessage & { readonly protocol?: string }

/** What `getSession` returns. */
export type GetSessionResult = Promise<Session | null>

/**
 * Who is signed in, or null. Throws an `AuthError` where that cannot be known. With `res` it also
 * renews the session when it is due, and so keeps people signed in who come back in time. Several
 * calls for one request cost one read.
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
export function getSession<Token = JWT, Sess = Session>(
  req: SessionRequest,
  config: ExpressAuthConfig<Token, Sess>,
): Promise<Sess | null>
export function getSession<Token = JWT, Sess = Session>(
  req: SessionRequest,
  res: ServerResponse,
  config: ExpressAuthConfig<Token, Sess>,
): Promise<Sess | null>
export function getSession(
  req: SessionRequest,
  ...given: readonly [object] | readonly [ServerResponse, object]
): Promise<unknown> {
  return given.length === 1 || given[1] === undefined
    ? keptRead(req, given[0], undefined)
    : keptRead(req, given[1], given[0])
}

function keptRead(
  req: SessionRequest,
  config: object,
  res: ServerResponse | undefined,
): Promise<unknown> {
  const state = stateOf(req)
  const renewed = res !== undefined && !isOver(res)
  for (let known = state.lastRead; known; known = known.before) {
    if (known.config === config && (known.renewed || !renewed)) return known.session
  }
  const session = read(req, config, renewed ? res : undefined)
  state.lastRead = { config, renewed, session, before: state.lastRead }
  return session
}

async function read(
  req: SessionRequest,
  config: object,
  res: ServerResponse | undefined,
): Promise<Session | null> {
  const resolved = usable(settle(config).resolution)
  const site = siteOf(resolved, resolved.origin ?? schemeOf(req))
  const checking = checkSession(resolved, site, cookieHeaderOf(req), res !== undefined)
  // Waiting for what is there already costs a good part of the time that a check takes.
  const { session, cookies } = 'then' in checking ? await checking : checking
  if (res && cookies.length > 0) addCookies(res, cookies.map(serializeCookie))
  return session
}

/** After somebody signed in or out, a request has another session than it came with. */
export function forgetSession(req: SessionRequest): void {
  stateOf(req).lastRead = undefined
}
