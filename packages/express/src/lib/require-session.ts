import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Frame } from '@siteauth/core/integration'
import type { JWT } from '@siteauth/core/jwt'
import type { Session } from '@siteauth/core/types'
import type { ExpressAuthConfig } from './auth-config.ts'
import type { Middleware, ServerRequest, SessionLocals, WithLocals } from './express.ts'
import { passSession } from './pass-session.ts'
import { settle } from './resolutions.ts'
import { publicPath, signInPage, withReturn } from './sign-in-page.ts'
import { writeRedirect } from './write-response.ts'

/** How {@link requireSession} sends visitors away. */
export interface RequireSessionOptions {
  /** Where people sign in: a path or a URL. Defaults to the sign-in page of the configuration. */
  redirectTo?: string | undefined
}

/**
 * Lets only visitors pass who are signed in, on one route or on a router. People are sent to sign in,
 * with `callbackUrl` saying where they were; programs get 401. Behind it, `res.locals.session` is
 * there.
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
export function requireSession<Token = JWT, Sess = Session>(
  config: ExpressAuthConfig<Token, Sess>,
  options: RequireSessionOptions = {},
): Middleware<WithLocals<SessionLocals<Sess>>> {
  return (req, res, next) =>
    passSession(req, res, config, next, found => {
      if (!found) return turnAway(req, res, settle(config).resolution.frame, options)
      res.locals.session = found as Sess // what the application's own session callback returned
      return true
    })
}

/** Whether the visitor may stay after all, at the page to sign in. */
function turnAway(
  req: ServerRequest,
  res: ServerResponse,
  frame: Frame,
  { redirectTo }: RequireSessionOptions,
): boolean {
  if (res.headersSent) return false
  res.setHeader('vary', varyOf(res))
  if (!wantsPage(req)) {
    res.statusCode = 401
    res.setHeader('content-type', 'application/json; charset=utf-8')
    res.setHeader('cache-control', 'private, no-cache, no-store')
    res.end(JSON.stringify({ error: 'Unauthorized' }))
    return false
  }
  const page = signInPage(frame, redirectTo)
  const here = whereFrom(req, frame)
  // Where the page to sign in lies behind this guard itself, visitors would go round in a circle.
  if (isRead(req) && here && pathOf(page) === pathOf(here)) return true
  writeRedirect(res, withReturn(page, here))
  return false
}

function wantsPage({ headers }: IncomingMessage): boolean {
  const isScript = String(headers['x-requested-with']).toLowerCase() === 'xmlhttprequest'
  return !isScript && (headers.accept ?? '').includes('text/html')
}

/** Where the visitor was. A form cannot be repeated, so for one it is the page that it was on. */
function whereFrom(req: ServerRequest, frame: Frame): string | undefined {
  if (!isRead(req)) return req.headers.referer
  // Browsers read two slashes, or one that leans the other way, as the start of a host.
  return publicPath(frame, req.originalUrl.replace(/^[/\\]*/, '/'))
}

function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD'
}

function pathOf(url: string): string {
  return url.replace(/[?#].*$/s, '')
}

function varyOf(res: ServerResponse): string {
  const before = String(res.getHeader('vary') ?? '')
  return before ? `${before}, Accept, Cookie` : 'Accept, Cookie'
}
