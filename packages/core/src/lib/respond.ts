import type { Resolution } from './config/resolved.ts'
import { JWTSessionError } from './errors.ts'
import { unknownSession } from './flows/answer-session.ts'
import { asThrown, handle } from './handle.ts'
import type { SentRequest } from './http/incoming.ts'
import type { Outgoing } from './http/outgoing.ts'
import {
  type ResponseInternal,
  toClientWire,
  toInternal,
  toResponse,
  toWire,
  type WireAnswer,
} from './http/to-response.ts'

/** Answers a request to one of the endpoints as the web does, whatever goes wrong. */
export async function respond(resolution: Resolution, request: SentRequest): Promise<Response> {
  return toResponse(await answerFor(resolution, request))
}

/** The same for servers that have no use for a `Response`. */
export async function answerFor(resolution: Resolution, request: SentRequest): Promise<WireAnswer> {
  const { answer } = await handle(resolution, request)
  const wire = write(resolution, request, answer)
  return request.method === 'HEAD' ? { ...wire, body: null } : wire
}

/** The same as plain data. Failures are thrown. */
export async function respondRaw(
  resolution: Resolution,
  request: SentRequest,
): Promise<Response | ResponseInternal> {
  if (isClientMode(request)) return respond(resolution, request)
  const { answer, failure } = await handle(resolution, request)
  if (failure !== undefined) throw asThrown(failure)
  return toInternal(answer)
}

function write({ frame }: Resolution, request: SentRequest, answer: Outgoing): WireAnswer {
  try {
    return isClientMode(request) ? toClientWire(answer) : toWire(answer)
  } catch (error) {
    // All answers are ours but one: what the session callback returned, which may not be JSON.
    const message = 'What the session callback returned cannot be serialised as JSON.'
    frame.logger.error(new JWTSessionError(message, { cause: error }))
    return toWire(unknownSession)
  }
}

/** A script that cannot follow redirects says so by this header, whatever its value. */
function isClientMode(request: SentRequest): boolean {
  return request.headers.has('x-auth-return-redirect')
}
