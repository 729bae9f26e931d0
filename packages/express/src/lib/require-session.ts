import type { ServerResponse } from 'node:http'
import { dropTargeted } from '@siteauth/core/cookies'
import { turnAway as answerStranger, type GuardedRequest } from '@siteauth/core/endpoints'
import type { JWT } from '@siteauth/core/jwt'
import { writeAnswer } from '@siteauth/core/node'
import type { SeenSession, Session } from '@siteauth/core/types'
import { requestScheme } from './address.ts'
import { applicationOf, relyOnPath } from './applications.ts'
import type { ExpressAuthConfig } from './auth-config.ts'
import type { Middleware, ServerRequest, SessionLocals, WithLocals } from './express.ts'
import { passSession } from './pass-session.ts'
import { engineHeaders } from './to-request.ts'

/** How {@link requireSession} sends visitors away. */
export interface RequireSessionOptions {
  /**
   * Where people sign in: a path or a URL. Defaults to the configured sign-in page. Visitors may
   * see that page even behind the guard; if it has a query, only with the same one.
   */
  redirectTo?: string | undefined
}

/**
 * Lets through only visitors who are signed in, on one route or on a router. People are sent to
 * sign in, with `callbackUrl` saying where they were; programs get 401. Behind it,
 * `res.locals.session` is always set.
 *
 * @example
 * ```ts
 * import { requireSession } from '@siteauth/express'
 * import express from 'express'
 *
 * const app = express()
 * app.get('/account', requireSession({ providers: [] }, { redirectTo: '/login' }), (_req, res) => {
 *   res.type('text').send(`Hello, ${res.locals.session.user?.name}`)
 * })
 * ```
 */
export function requireSession<Token = JWT, Sess = Session, Exposed extends string = never>(
  config: ExpressAuthConfig<Token, Sess, Exposed>,
  options: RequireSessionOptions = {},
): Middleware<WithLocals<SessionLocals<SeenSession<Sess, Exposed, Token>>>> {
  return (req, res, next) =>
    passSession(req, res, config, next, found =>
      found ? letPass(res) : turnAway(req, res, config, options),
    )
}

/**
 * What only members see is not for caches that others share. What was said before this was meant for all
 * pages, and does not count; what the application says behind it does.
 */
function letPass(res: ServerResponse): true {
  if (res.headersSent) return true
  dropTargeted(res)
  if (!isPrivate(res)) res.setHeader('cache-control', 'private, no-cache')
  return true
}

function isPrivate(res: ServerResponse): boolean {
  // `private="name"` is about one header, and leaves the rest to caches.
  return /\b(?:private\b(?!=)|no-store)/i.test(String(res.getHeader('cache-control') ?? ''))
}

/** Whether the visitor may stay after all, at the page to sign in. */
function turnAway(
  req: ServerRequest,
  res: ServerResponse,
  config: object,
  { redirectTo }: RequireSessionOptions,
): boolean {
  if (res.headersSent) return false
  res.setHeader('vary', varyOf(res))
  const wanted = wantsPage(req)
  const known = applicationOf(config)
  const { resolved } = known
  const isOurs = redirectTo === undefined && resolved.pages.signIn === undefined
  if (wanted && isOurs) relyOnPath(known, config)
  const answer = answerStranger(resolved, guardedRequest(req, wanted), 'signed out', redirectTo)
  if (answer) writeAnswer(res, answer)
  return answer === null
}

function guardedRequest(req: ServerRequest, wantsPage: boolean): GuardedRequest {
  const { method, originalUrl: path, headers } = req
  const protocol = requestScheme(req, headers)
  const host = headers.host ?? ''
  return { method, path, headers: engineHeaders(req), protocol, host, wantsPage }
}

function wantsPage(req: ServerRequest): boolean {
  const isScript = String(req.headers['x-requested-with']).toLowerCase() === 'xmlhttprequest'
  return !isScript && req.accepts(['json', 'html']) === 'html'
}

function varyOf(res: ServerResponse): string {
  const before = String(res.getHeader('vary') ?? '')
  return before ? `${before}, Accept, Cookie` : 'Accept, Cookie'
}
