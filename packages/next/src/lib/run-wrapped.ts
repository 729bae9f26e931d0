import type { Session } from '@siteauth/core/types'
import type { NextRequest } from 'next/server.js'
import type { Handler } from './call-form.ts'
import { isRoute } from './is-route.ts'
import { currentHeaders } from './next-runtime.ts'
import { passOn } from './pass-on.ts'
import { forOneVisitor, isResponse, passOnPrivately } from './responses.ts'
import type { SessionReader } from './session-reader.ts'

/** A function that `auth` wraps, with its second argument. */
export interface Wrapped {
  readonly handler: Handler
  readonly context: unknown
}

/** Runs it, with the session at hand. */
export async function runWrapped(
  reader: SessionReader,
  request: NextRequest,
  auth: Session | null,
  { handler, context }: Wrapped,
  /** Whether `authorized` has let the request pass. */
  isDecided: boolean,
): Promise<Response> {
  // For an auth() inside the function.
  const headers = await currentHeaders()
  if (headers) reader.share(request, headers)
  const response = await handler(Object.assign(request, { auth }), context)
  if (isResponse(response)) return auth ? forOneVisitor(response, !isDecided) : response
  if (response !== undefined && response !== null) {
    throw new TypeError('A function wrapped in auth() must return a Response, or nothing.')
  }
  if (isRoute(context)) throw new TypeError('The route handler wrapped in auth() returned nothing.')
  return auth ? passOnPrivately() : passOn()
}
