import type { NextRequest } from 'next/server.js'
import type { Settings } from './config/settings.ts'
import { load } from './load.ts'
import type { Wrapped } from './proxy/follow-decision.ts'
import { requestSession } from './proxy/request-session.ts'
import { respondToRequest } from './proxy/respond-to-request.ts'
import type { PageArguments } from './read/page-session.ts'
import type { SessionReader } from './read/session-reader.ts'
import type { Auth, RequestSession } from './result.ts'

/** Makes `auth` for one application: the same function for every place in which it is called. */
export function createAuthFunction<Sess>(settings: Settings, reader: SessionReader): Auth<Sess> {
  /** Tells the places apart by what it is given there. */
  function auth(...given: readonly unknown[]): unknown {
    const [first] = given
    if (typeof first === 'function') return wrap(first as Wrapped['handler'])
    if (isRequest(first)) return respondToRequest({ settings, reader }, first)
    return readForPage(given as PageArguments) // what else the types allow
  }

  function wrap(handler: Wrapped['handler']) {
    return (request: NextRequest, context: unknown) => {
      const isRoute = 'params' in Object(context)
      return respondToRequest({ settings, reader, wrapped: { handler, context, isRoute } }, request)
    }
  }

  async function readForPage(given: PageArguments) {
    const { pageSession } = await load('pages')
    return pageSession(settings, reader, given)
  }

  async function session(request: Request): Promise<RequestSession<Sess>> {
    const loader = await settings.of(request, request as NextRequest) // or a plain one, in tests
    const config = await loader.sessions()
    // What the application's own session callback returned.
    return (await requestSession({ config, loader, reader }, request)) as RequestSession<Sess>
  }

  // Each form returns what its signature specifies; sessions are what the application's callback returned.
  return Object.assign(auth as Auth<Sess>, { session })
}

/** Not by `instanceof`: there may be several classes of that name in one process. */
function isRequest(value: unknown): value is NextRequest {
  return typeof (value as Partial<Request> | undefined)?.headers?.get === 'function'
}
