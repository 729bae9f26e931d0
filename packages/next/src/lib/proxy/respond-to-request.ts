import { hasMalformedHost, parsePath, type SessionConfig } from '@siteauth/core/internal'
import type { NextRequest } from 'next/server.js'
import type { NextAuthCallbacks } from '../config/auth-config.ts'
import { prefixOf, type Settings } from '../config/settings.ts'
import { load } from '../load.ts'
import { letPass, ORIGIN_PAGE_HEADER, RECEIPT_HEADER } from '../proxy-headers.ts'
import type { SessionReader } from '../read/session-reader.ts'
import { hasLanguage, routedPath } from '../request-url.ts'
import type { Wrapped } from './follow-decision.ts'
import { type ReadRequest, requestSession } from './request-session.ts'

/** What there is to answer a request with. */
interface Answering {
  readonly settings: Settings
  readonly reader: SessionReader
  readonly wrapped?: Wrapped
}

/**
 * Answers a request as proxy, or in place of a function that it wraps: reads the session, asks
 * `authorized`, and only then lets the request pass.
 */
export async function respondToRequest(
  { settings, reader, wrapped }: Answering,
  request: NextRequest,
): Promise<Response> {
  if (hasMalformedHost(request.headers)) return (await load('rareCases')).malformedHostResponse()
  const loader = await settings.of(request, request)
  const { route } = loader.paths
  const prefix = prefixOf(loader)
  const path = routedPath(request)
  const isEndpoint =
    // A route handler is not one, nor is an action, which Next runs at the address of any page.
    !wrapped?.isRoute &&
    !request.headers.has('next-action') &&
    !hasLanguage(request) &&
    parsePath(path, [route]) !== null &&
    // At the root they stand among pages of the application.
    (route !== '' || (await (await load('rareCases')).isRootEndpoint(loader, path)))
  // The endpoints read sessions themselves, and renew or end them.
  if (isEndpoint && !wrapped) {
    return request.headers.has(RECEIPT_HEADER) || request.headers.has(ORIGIN_PAGE_HEADER)
      ? (await load('rareCases')).passAsRouted(letPass(), request)
      : letPass()
  }
  let config: SessionConfig | undefined
  let authorized: NextAuthCallbacks['authorized'] | undefined
  let read: ReadRequest
  try {
    config = await loader.sessions()
    authorized = isEndpoint ? undefined : authorizedOf(config)
    read = await requestSession({ config, loader, reader, isRoute: wrapped?.isRoute }, request)
  } catch (error) {
    const { unreadableResponse } = await load('rareCases')
    return unreadableResponse({ loader, prefix, request, error, config, authorized, wrapped })
  }
  const { session: auth, applyTo } = read
  const authorization = authorized ? await authorized({ request, auth }) : true
  // As it nearly always is where nobody is signed in, or nobody is asked.
  if (authorization === true && !wrapped && !(authorized && auth)) return applyTo(letPass())
  const { followDecision } = await load('rareCases')
  return applyTo(
    await followDecision({
      loader,
      prefix,
      request,
      reader,
      auth,
      authorization,
      authorized,
      wrapped,
    }),
  )
}

/** The application's `authorized`, if it has one. */
function authorizedOf({ callbacks }: SessionConfig): NextAuthCallbacks['authorized'] | undefined {
  // Next's configuration has one more than the engine's, which passes it through.
  return (callbacks as Partial<NextAuthCallbacks>).authorized
}
