import type { NextRequest } from 'next/server.js'
import { letPass } from '../proxy-headers.ts'
import type { SessionReader } from '../read/session-reader.ts'
import { passAsRouted } from './apply-session.ts'
import { forOneVisitor, letPassPrivately } from './private-answers.ts'
import { isResponse, type Judged, refuse } from './refuse.ts'

/** A function that `auth` wraps, with its second argument. */
export interface Wrapped {
  readonly handler: (request: NextRequest, context: unknown) => unknown
  readonly context: unknown
  /** Whether it is a route handler: those get the parameters of their path, proxies an event. */
  readonly isRoute: boolean
}

/** A request whose visitor is known. */
interface Known extends Judged {
  readonly reader: SessionReader
  /** The callback, where the application has one. */
  readonly authorized: unknown
  readonly wrapped: Wrapped | undefined
}

/** Refuses a request, runs the function that it is for, or lets it pass. */
export async function followVerdict(known: Known): Promise<Response> {
  const { verdict, wrapped } = known
  const refusal =
    verdict === true ? null : await refuse(known, { isRoute: wrapped?.isRoute ?? false })
  if (refusal) return refusal
  const response = wrapped ? await runWrapped(known, wrapped) : pass(known)
  return isExempt(known) ? passAsRouted(response, known.request) : response
}

function pass({ authorized, auth }: Known): Response {
  return authorized && auth ? letPassPrivately() : letPass()
}

/** Whether a request that passes does so without a yes: it is for a page that `authorized` cannot close. */
function isExempt({ verdict }: Known): boolean {
  return !verdict || isResponse(verdict)
}

async function runWrapped(
  { reader, request, auth, authorized }: Known,
  { handler, context, isRoute }: Wrapped,
): Promise<Response> {
  // Next's code for this is loaded late: a proxy that wraps nothing is given all it needs.
  const { currentHeaders } = await import('../current-request.ts')
  const headers = await currentHeaders()
  // For an auth() inside the function.
  if (headers) reader.share(request, headers)
  const response = await handler(Object.assign(request, { auth }), context)
  if (isResponse(response)) {
    // What it says about caches itself counts where nobody else decided about the visitor.
    const isUpToIt = !authorized && response.headers.has('cache-control')
    return auth && !isUpToIt ? forOneVisitor(response) : response
  }
  if (response !== undefined && response !== null) {
    throw new TypeError('A function wrapped in auth() must return a Response, or nothing.')
  }
  if (isRoute) throw new TypeError('The route handler wrapped in auth() returned nothing.')
  return auth ? letPassPrivately() : letPass()
}
