import type { IncomingMessage, ServerResponse } from 'node:http'
import { dropTargeted, keepPrivate } from '@siteauth/core/cookies'
import { publicPath } from '@siteauth/core/endpoints'
import type { PageConfig } from '@siteauth/core/integration'
import type { JWT } from '@siteauth/core/jwt'
import type { SeenSession, Session } from '@siteauth/core/types'
import { applicationOf, relyOnPath } from './applications.ts'
import type { ExpressAuthConfig } from './auth-config.ts'
import type { Middleware, ServerRequest, SessionLocals, WithLocals } from './express.ts'
import { passSession } from './pass-session.ts'
import { ownOrigin, ownReferer, signInPage, withCallbackUrl } from './sign-in-page.ts'
import { toRequest } from './to-request.ts'
import { writeRedirect } from './write-response.ts'

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
  if (!wantsPage(req)) {
    res.statusCode = 401
    res.setHeader('content-type', 'application/json; charset=utf-8')
    keepPrivate(res)
    res.end(JSON.stringify({ error: 'Unauthorized' }))
    return false
  }
  const known = applicationOf(config)
  const { resolved } = known
  if (redirectTo === undefined && resolved.pages.signIn === undefined) relyOnPath(known, config)
  const page = signInPage(resolved, redirectTo)
  // Where the page to sign in lies behind this guard itself, visitors would go round in a circle.
  const origin = () => ownOrigin(resolved, toRequest(req, '/'))
  const here = whereFrom(req, resolved, origin)
  if (isRead(req) && here && isAt(page, here, origin)) return true
  writeRedirect(res, withCallbackUrl(page, here))
  return false
}

function wantsPage(req: ServerRequest): boolean {
  const isScript = String(req.headers['x-requested-with']).toLowerCase() === 'xmlhttprequest'
  return !isScript && req.accepts(['json', 'html']) === 'html'
}

/** Where the visitor was. A form cannot be repeated, so for one it is the page that it was on. */
function whereFrom(
  req: ServerRequest,
  config: PageConfig,
  origin: () => string | undefined,
): string | undefined {
  if (!isRead(req)) return ownReferer(req, origin())
  // Browsers read two slashes, or one that leans the other way, as the start of a host.
  return publicPath(config, req.originalUrl.replace(/^[/\\]*/, '/'))
}

function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD'
}

/**
 * Whether a page, which may be a URL, is the one at an address of this site. Where its query tells it from
 * others at the same path, that counts too; what else the address asks for does not.
 */
function isAt(page: string, here: string, origin: () => string | undefined): boolean {
  const path = pathOf(here)
  const isSamePath = page.startsWith('/')
    ? pathOf(page) === path
    : URL.canParse(page) && pathOf(new URL(page).href) === `${origin()}${path}`
  if (!isSamePath) return false
  const sent = queryOf(here)
  const wanted = queryOf(page)
  return [...wanted.keys()].every(
    name => valuesOf(sent, name) === valuesOf(wanted, name) && !hasPartsOf(sent, name),
  )
}

function queryOf(url: string): URLSearchParams {
  return new URLSearchParams(/\?([^#]*)/.exec(url)?.[1])
}

function valuesOf(query: URLSearchParams, name: string): string {
  return JSON.stringify(query.getAll(name))
}

/** Express may add `name[]` and `name[key]` to what `name` says. */
function hasPartsOf(query: URLSearchParams, name: string): boolean {
  return [...query.keys()].some(each => each.startsWith(`${name}[`))
}

function pathOf(url: string): string {
  return url.replace(/[?#].*$/s, '')
}

function varyOf(res: ServerResponse): string {
  const before = String(res.getHeader('vary') ?? '')
  return before ? `${before}, Accept, Cookie` : 'Accept, Cookie'
}
