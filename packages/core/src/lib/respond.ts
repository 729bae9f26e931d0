import type { Resolution } from './config/resolved.ts'
import { JWTSessionError } from './errors.ts'
import { asThrown, handle, unknownSession } from './handle.ts'
import type { Outgoing } from './http/outgoing.ts'
import {
  type ResponseInternal,
  toClientResponse,
  toInternal,
  toResponse,
} from './http/to-response.ts'

/** Answers a request to one of the endpoints as the web does, whatever goes wrong. */
export async function respond(resolution: Resolution, request: Request): Promise<Response> {
  const { answer } = await handle(resolution, request)
  const response = write(resolution, request, answer)
  return request.method === 'HEAD' ? new Response(null, response) : response
}

/** The same as plain data. Failures are thrown. */
export async function respondRaw(
  resolution: Resolution,
  request: Request,
): Promise<Response | ResponseInternal> {
  if (isClientMode(request)) return respond(resolution, request)
  const { answer, failure } = await handle(resolution, request)
  if (failure !== undefined) throw asThrown(failure)
  return toInternal(answer)
}

function write({ frame }: Resolution, request: Request, answer: Outgoing): Response {
  try {
    return isClientMode(request) ? toClientResponse(answer) : toResponse(answer)
  } catch (error) {
    // All answers are ours but one: what the session callback returned, which may not be JSON.
    const message = 'What the session callback returned cannot be written as JSON.'
    frame.logger.error(new JWTSessionError(message, { cause: error }))
    return toResponse(unknownSession)
  }
}

/** A script that cannot follow redirects says so by this header, whatever its value. */
function isClientMode(request: Request): boolean {
  return request.headers.has('x-auth-return-redirect')
}
