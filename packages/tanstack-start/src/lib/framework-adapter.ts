import {
  changeHeaders,
  changeResponse,
  type FrameworkAdapter,
  pendingChanges,
  type ResponseChange,
  toResponse,
} from '@siteauth/core/integration'
import { errorResponse } from './error-response.ts'
import type { Answered, MiddlewareArgs } from './request-middleware.ts'
import { asForm } from './server-function.ts'

/** TanStack Start as the library sees it. */
export interface StartFrameworkAdapter extends FrameworkAdapter<Request, Response> {
  /** Notes that the middleware has seen a request, and will see its response. */
  expect(args: ExpectedArgs): void
  /** Whether the framework dispatches a request to a server function. */
  isFunctionCall(request: Request): boolean
  /** Waits for the answer, and makes to it what changes have come up meanwhile. */
  finish<Result extends Answered>(args: MiddlewareArgs<Result>): Promise<Result>
}

/** The arguments of the middleware for a request. */
type ExpectedArgs = Pick<MiddlewareArgs<Answered>, 'request' | 'pathname' | 'handlerType'>

export function createFrameworkAdapter(): StartFrameworkAdapter {
  const changes = pendingChanges<Request>()
  const expected = new WeakMap<Request, ExpectedArgs>()
  const begun = new WeakSet<Request>()

  const isFunctionCall = (request: Request) => expected.get(request)?.handlerType === 'serverFn'

  return {
    request(request) {
      if (!expected.has(request)) throw new TypeError(NOT_MOUNTED)
      return isFunctionCall(request) ? asForm(request) : request
    },
    except: {
      names: 'paths',
      nameOf(request) {
        const { handlerType, pathname } = expected.get(request) ?? {}
        return handlerType === 'router' ? pathname : undefined
      },
    },
    isFunctionCall,
    hasBegun: request => begun.has(request),
    change: changes.add,
    respond(_request, data) {
      const response = toResponse(data)
      const href = response.headers.get('location')
      return href === null ? response : asRedirect(response, href)
    },
    expect(args) {
      expected.set(args.request, args)
    },
    async finish({ request, next }) {
      try {
        const result = await next()
        const change = changes.take(request)
        const response = change ? changed(result.response, change) : result.response
        return response === result.response ? result : { ...result, response }
      } catch (thrown) {
        const change = changes.take(request)
        if (change && thrown instanceof Response) throw changed(thrown, change)
        // A sign-out has happened, whatever failed after it.
        if (change && change.setCookies.length > 0) throw changed(errorResponse(thrown), change)
        throw thrown
      } finally {
        begun.add(request)
      }
    },
  }
}

/**
 * A redirect as TanStack Start makes them itself. From a server function, the script then goes there; a plain
 * response would be followed by `fetch`, which other sites do not answer.
 */
function asRedirect(response: Response, href: string): Response {
  const options = { href, statusCode: response.status, reloadDocument: true }
  return Object.assign(response, { options })
}

/** The very same response if it can be: TanStack Start knows its own streams by it. */
function changed(response: Response, change: ResponseChange): Response {
  // Without a body, it may be one that the application shares between all visitors, and the next visitor would get
  // this one's cookies. A redirect of TanStack Start is recognised by its other members.
  if (response.body === null) {
    return Object.assign(
      changeResponse(response, change),
      Object.fromEntries(Object.entries(response)),
    )
  }
  try {
    changeHeaders(response.headers, change)
    return response
  } catch {
    // Headers of a response from `fetch` cannot be changed.
    return changeResponse(response, change)
  }
}

const NOT_MOUNTED =
  'No middleware of SiteAuth has seen this request, so cookies could not be set. Add ' +
  '`createMiddleware().server(auth.middleware)` to `requestMiddleware` in src/start.ts, and pass the request ' +
  'itself, not a copy: `getRequest()` or the `request` that your handler was given.'
