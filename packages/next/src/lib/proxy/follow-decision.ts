import type { NextRequest } from 'next/server.js'
import { letPass } from '../proxy-headers.ts'
import type { SessionReader } from '../read/session-reader.ts'
import { passAsRouted } from './apply-session.ts'
import { denialResponse, isResponse, type Judged } from './denial-response.ts'
import { forOneVisitor, letPassPrivately } from './private-answers.ts'

/** A function that `auth` wraps, with its second argument. */
export interface Wrapped {
  readonly handler: (request: NextRequest, context: unknown) => unknown
  readonly context: unknown
  /** Whether it is a route handler: those get the parameters of their path, proxies an event. */
  readonly isRoute: boolean
}

/** A request whose session has been read. */
interface CheckedRequest extends Judged {
  readonly reader: SessionReader
  /** The callback, where the application has one. */
  readonly authorized: unknown
  readonly wrapped: Wrapped | undefined
}

/** Denies a request, runs its function, or lets it pass. */
export async function followDecision(decision: CheckedRequest): Promise<Response> {
  const { authorization, wrapped } = decision
  const denial =
    authorization === true
      ? null
      : await denialResponse(decision, { isRoute: wrapped?.isRoute ?? false })
  if (denial) return denial
  const response = wrapped ? await runWrapped(decision, wrapped) : pass(decision)
  return isExempt(decision) ? passAsRouted(response, decision.request) : response
}

function pass({ authorized, auth }: CheckedRequest): Response {
  return authorized && auth ? letPassPrivately() : letPass()
}

/** Whether a request that passes does so without a yes: it is for a page that `authorized` cannot close. */
function isExempt({ authorization }: CheckedRequest): boolean {
  return !authorization || isResponse(authorization)
}

async function runWrapped(
  { reader, request, auth, authorized }: CheckedRequest,
  { handler, context, isRoute }: Wrapped,
): Promise<Response> {
  // Next's code for this is loaded late: a proxy that wraps nothing is given all it needs.
  const { currentHeaders } = await import('../current-request.ts')
  const headers = await currentHeaders()
  // For an auth() inside the function.
  if (headers) reader.share(request, headers)
  const response = await handler(Object.assign(request, { auth }), context)
  if (isResponse(response)) {
    // Its own cache headers count if no session was read.
    const isUpToIt = !authorized && response.headers.has('cache-control')
    return auth && !isUpToIt ? forOneVisitor(response) : response
  }
  if (response !== undefined && response !== null) {
    throw new TypeError('A function wrapped in auth() must return a Response, or nothing.')
  }
  if (isRoute) throw new TypeError('The route handler wrapped in auth() returned nothing.')
  return auth ? letPassPrivately() : letPass()
}
