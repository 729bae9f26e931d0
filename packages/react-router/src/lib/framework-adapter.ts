import {
  type FrameworkAdapter,
  pendingChanges,
  type SentRequest,
  toResponse,
} from '@siteauth/core/integration'
import { isDataRequest, isForScript, leaveToBrowser } from './data-request.ts'
import type { RouteArgs } from './route.ts'

/** React Router as the library sees it. */
export interface ReactRouterFrameworkAdapter extends FrameworkAdapter<RouteArgs, Response> {
  /** Waits for the answer, and makes to it what changes have come up meanwhile. */
  finish(args: RouteArgs, respond: () => Promise<Response>): Promise<Response>
}

export function createFrameworkAdapter(): ReactRouterFrameworkAdapter {
  const changes = pendingChanges<object>()
  // The request that each context belongs to, once the middleware has seen it.
  const requests = new WeakMap<object, Request>()
  const begun = new WeakSet<object>()

  return {
    request(args) {
      if (!requests.has(args.context)) throw new TypeError(NOT_MOUNTED)
      return requestOf(args)
    },
    except: {
      names: 'routes',
      // With server components, this header has React Router run a server function at the address of any page.
      nameOf: ({ pattern, request }) =>
        request.headers.has('rsc-action-id') ? undefined : pattern,
    },
    key: ({ context }) => context,
    hasBegun: ({ context }) => begun.has(context),
    change: ({ context }, change) => changes.add(context, change),
    respond(_args, data) {
      const response = toResponse(data)
      // The page to sign in is none of React Router's, and who is signed in changes all pages.
      if (response.headers.has('location')) leaveToBrowser(response.headers)
      return response
    },
    async finish(args, respond) {
      const { context, request } = args
      const existing = requests.get(context)
      // Sessions are remembered by the context: one visitor would be taken for another.
      if (existing && existing !== request) throw new TypeError(SHARED_CONTEXT)
      requests.set(context, request)
      const response = await respond()
      begun.add(context)
      if (isForScript(response) && !isDataRequest(args)) throw new TypeError(REWRITTEN)
      return changes.applyTo(context, response)
    },
  }
}

/** The request with the address that the application knows. */
function requestOf(args: RouteArgs): SentRequest {
  const { method, headers, body, bodyUsed } = args.request
  const { href: url } = args.url
  // The script accepts anything, on behalf of a visitor who waits for a page.
  const accept = isDataRequest(args) ? 'text/html' : undefined
  return {
    method,
    url,
    headers: accept === undefined ? headers : withAccept(headers, accept),
    body,
    bodyUsed,
  }
}

function withAccept(headers: Headers, accept: string): Headers {
  const copy = new Headers(headers)
  copy.set('accept', accept)
  return copy
}

const NOT_MOUNTED =
  'No middleware of SiteAuth has seen this request, so cookies could not be set. Add ' +
  '`export const middleware = [auth.middleware]` to app/root.tsx and ' +
  '`future: { v8_middleware: true, v8_passThroughRequests: true }` to react-router.config.ts.'

const REWRITTEN =
  'React Router hides from middleware which requests its script makes, and they would get 401 in place of the ' +
  'page to sign in. Add `v8_passThroughRequests: true` to `future` in react-router.config.ts.'

const SHARED_CONTEXT =
  'Two requests have the same context, and one visitor could be taken for another. Return a new ' +
  'RouterContextProvider from getLoadContext each time.'
