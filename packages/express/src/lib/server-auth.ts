import type { ServerResponse } from 'node:http'
import type { SentRequest } from '@siteauth/core/integration'
import { type InvalidConfig, lazily, type ResolvedConfig } from '@siteauth/core/internal'
import { atPaths } from '@siteauth/core/internal/config'
import { isTooLate } from '@siteauth/core/internal/node'
import type { JWT } from '@siteauth/core/jwt'
import { type ReadBody, readBody, writeServerResponse } from '@siteauth/core/node'
import type { Session } from '@siteauth/core/types'
import {
  ASSUMED_PATH,
  assertObject,
  getApplication,
  isProduction,
  noteMismatch,
  noteMount,
  noteServed,
  warnOfUntrustedProxy,
} from './application/applications.ts'
import { choosePaths } from './application/choose-paths.ts'
import { findMount } from './application/find-mount.ts'
import { reportProblemsSoon } from './application/report-problems.ts'
import type { ExpressAuthConfig } from './auth-config.ts'
import type { Next, ServerRequest } from './express.ts'
import { claimsHttpsUntrusted } from './request/address.ts'
import { rejectMalformedHost } from './request/reject-host.ts'
import { toRequest } from './request/to-request.ts'

// With the first request that is for them: most requests only need the session.
const endpoints = lazily(() => import('./respond-to.ts'))

/**
 * The endpoints, as a middleware for Express 4 and 5. The base path follows the mount, whatever its
 * form: a path, a wildcard, a regular expression, nested routers. A configured `basePath` has to
 * match; behind a regular expression without groups, one is required unless it is `/auth`. Unknown
 * paths get 404. Mount it before or after body parsers. Configuration mistakes are logged when the
 * server starts.
 *
 * @example
 * ```ts
 * import { ServerAuth } from '@siteauth/express'
 * import GitHub from '@siteauth/core/providers/github'
 * import express from 'express'
 *
 * const app = express()
 * app.set('trust proxy', 'loopback') // where a proxy terminates TLS
 * app.use('/auth', ServerAuth({ providers: [GitHub] }))
 * ```
 */
export function ServerAuth<Token = JWT, Sess = Session, Exposed extends string = never>(
  config: ExpressAuthConfig<Token, Sess, Exposed>,
): (req: ServerRequest, res: ServerResponse, next: Next) => Promise<void> {
  assertObject('ServerAuth', config)
  if (noteServed(config)) reportProblemsSoon(config)
  // A middleware is mounted in one place, or in a few.
  let last: { readonly mount: string; readonly located: ResolvedConfig | InvalidConfig } | undefined

  /** Where the endpoints are for a request; null if its path names none. */
  function locate(req: ServerRequest, path: string): ResolvedConfig | InvalidConfig | null {
    const application = getApplication(config)
    const { resolved, configuredPath } = application
    const isProvider = (id: string) => !resolved.problems && resolved.providers.has(id)
    const { baseUrl, route } = req
    // Not in the type: Express would take the parameters of all that comes behind for unknown.
    const { params = {} } = req as { params?: Readonly<Record<string, unknown>> }
    const isRoute = route !== undefined
    const mounted = { baseUrl, rest: path, isRoute, params }
    const position = { ...mounted, configured: configuredPath, assumed: ASSUMED_PATH }
    const mount = findMount(position, isProvider)
    if (claimsHttpsUntrusted(req)) warnOfUntrustedProxy(application)
    if (mount === null) {
      // Not in production: there, visitors choose most of the paths that lead nowhere.
      const isMisplaced =
        configuredPath !== '' && findMount({ ...position, configured: '' }, isProvider)
      if (isMisplaced && !isProduction()) noteMismatch(application)
      return null
    }
    if (last?.mount === mount) return last.located
    const paths = choosePaths(mount, configuredPath)
    noteMount(application, paths)
    const located = atPaths(resolved, { route: paths.route, public: paths.public })
    last = { mount, located }
    return located
  }

  return async (req, res, next) => {
    if (isTooLate(res)) return next()
    if (rejectMalformedHost(req, res)) return
    try {
      const { url, baseUrl, method } = req
      const { pathname, search } = split(url ?? '/')
      const located = locate(req, pathname)
      if (!located) {
        const nowhere = last?.located ?? getApplication(config).resolved
        return writeServerResponse(res, await respond(nowhere, toRequest(req, '/', { method })))
      }
      let body: ReadBody | undefined
      try {
        body = await readBody(req, { parser: 'express.urlencoded()' })
      } catch (error) {
        if (req.destroyed) return // the visitor hung up: there is nobody to answer
        throw error
      }

      const request = toRequest(req, baseUrl + pathname + search, { method, body })
      writeServerResponse(res, await respond(located, request))
    } catch (error) {
      next(error)
    }
  }
}

function respond(config: ResolvedConfig | InvalidConfig, request: SentRequest) {
  return endpoints(({ respondTo }) => respondTo(config, request))
}

/** The path and the query of a request target, which may also be a whole URL. */
function split(target: string): { pathname: string; search: string } {
  const local = target.startsWith('/')
    ? target
    : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, '')
  const at = local.indexOf('?')
  return at === -1
    ? { pathname: local, search: '' }
    : { pathname: local.slice(0, at), search: local.slice(at) }
}
