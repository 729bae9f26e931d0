import type { ServerResponse } from 'node:http'
import type { RequireSessionMiddlewareOptions } from '@siteauth/core/integration'
import {
  type AccessDecision,
  assertGuardOptions,
  type Denial,
  decideAccess,
  denyRequest,
  type GuardedRequest,
  isAllowed,
  logPageLoop,
  readExemptions,
  removeTargetedCacheHeaders,
} from '@siteauth/core/internal'
import { writeServerResponse } from '@siteauth/core/node'
import type { Awaitable, Session } from '@siteauth/core/types'
import { getApplication, relyOnPath } from '../application/applications.ts'
import type { Middleware, ServerRequest, SessionLocals, WithLocals } from '../express.ts'
import { requestScheme } from '../request/address.ts'
import { rejectMalformedHost } from '../request/reject-host.ts'
import { engineHeaders } from '../request/to-request.ts'
import { type Accept, passSession } from './pass-session.ts'

/**
 * Creates middleware that lets a request through if a user is signed in. It creates no function per request, and
 * awaits nothing that is not a promise: a route that is awaited costs Express more than the session does.
 */
export function requireSession(
  config: object,
  given: RequireSessionOptions = {},
): Middleware<WithLocals<SessionLocals<Session>>> {
  assertGuardOptions(given, ['redirectTo', 'allow', 'except'])
  const { except, ...options } = given
  const exemptions = readExemptions(except, 'paths')
  const guard: Guard = { config, ...options }
  const accept: Accept<ServerRequest> = (session, req, res) => admit(req, res, guard, session)
  return (req, res, next) => {
    if (rejectMalformedHost(req, res)) return
    if (except && exemptions.covers(req.method, routedPath(req))) return next()
    return passSession(req, res, config, next, accept)
  }
}

/** Which users `requireSession` lets through, and where it sends others. */
export interface RequireSessionOptions<Sess = Session>
  extends RequireSessionMiddlewareOptions<Sess> {}

/** A guard of an application, as it was created. */
interface Guard extends Omit<RequireSessionOptions, 'except'> {
  readonly config: object
}

/**
 * The path that the router matches, if it was sent like that. Otherwise, handlers can read another path from the same request:
 * below a mount, behind a rewritten URL, or from a target with a host or a fragment, which proxies forward.
 */
function routedPath({ baseUrl, originalUrl, path }: ServerRequest): string | undefined {
  return baseUrl === '' && originalUrl.split('?', 1)[0] === path ? path : undefined
}

/** Whether a request may pass. Sends the response if not. */
function admit(
  req: ServerRequest,
  res: ServerResponse,
  guard: Guard,
  session: Session | null,
): Awaitable<boolean> {
  const { allow } = guard
  if (session === null || allow === undefined) {
    return settle(req, res, guard, decideAccess(session, EVERYBODY))
  }
  return isAllowed(session, allow).then(allowed =>
    settle(req, res, guard, decideAccess(session, { allowed })),
  )
}

function settle(
  req: ServerRequest,
  res: ServerResponse,
  guard: Guard,
  decision: AccessDecision,
): boolean {
  if (decision === 'allow') return letPass(res)
  deny(req, res, guard, decision)
  return false
}

const EVERYBODY = { allowed: true }

/**
 * Pages that only users see must not be stored by shared caches. Headers from before this were meant for all pages,
 * and do not count; those that the application sets after it do.
 */
function letPass(res: ServerResponse): true {
  if (res.headersSent) return true
  removeTargetedCacheHeaders(res)
  if (!isPrivate(res)) res.setHeader('cache-control', 'private, no-cache')
  return true
}

function isPrivate(res: ServerResponse): boolean {
  // `private="name"` is about one header, and leaves the rest to caches.
  return /\b(?:private\b(?!=)|no-store)/i.test(String(res.getHeader('cache-control') ?? ''))
}

function deny(
  req: ServerRequest,
  res: ServerResponse,
  { config, redirectTo }: Guard,
  denial: Denial,
): void {
  if (res.headersSent) throw new Error('The response has begun, so the request cannot be denied.')
  res.setHeader('vary', varyOf(res))
  const wanted = wantsPage(req)
  const application = getApplication(config)
  const { resolved } = application
  const isOurs = redirectTo === undefined && resolved.pages.signIn === undefined
  if (wanted && isOurs) relyOnPath(application, config)
  const name = { kind: 'paths', text: routedPath(req) } as const
  const request = guardedRequest(req, wanted)
  const { response, error } = denyRequest(resolved, request, denial, { redirectTo, name })
  if (error) logPageLoop(resolved, error)
  writeServerResponse(res, response)
}

function guardedRequest(req: ServerRequest, wantsPage: boolean): GuardedRequest {
  const { method, originalUrl: path, headers } = req
  const protocol = requestScheme(req, headers)
  const host = headers.host ?? ''
  return {
    method,
    path,
    sentPath: path,
    headers: engineHeaders(req),
    protocol,
    host,
    wantsPage,
  }
}

function wantsPage(req: ServerRequest): boolean {
  const isScript = String(req.headers['x-requested-with']).toLowerCase() === 'xmlhttprequest'
  return !isScript && req.accepts(['json', 'html']) === 'html'
}

function varyOf(res: ServerResponse): string {
  const before = String(res.getHeader('vary') ?? '')
  return before ? `${before}, Accept, Cookie` : 'Accept, Cookie'
}
