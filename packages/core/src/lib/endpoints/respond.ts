import { JWTSessionError } from '../base/errors.ts'
import type { InvalidConfig, ResolvedConfig } from '../config/resolved-config.ts'
import { asThrown } from '../flows/request/failure.ts'
import { unknownSession } from '../flows/session/get-session.ts'
import type { SentRequest } from '../http/request.ts'
import type { Outgoing } from '../http/response.ts'
import {
  type ResponseInternal,
  toClientWire,
  toInternal,
  toResponse,
  toWire,
  type WireResponse,
} from '../http/write-response.ts'
import { handle } from './handle-request.ts'

/** Answers a request to one of the endpoints as the web does, whatever goes wrong. */
export async function respond(
  config: ResolvedConfig | InvalidConfig,
  request: SentRequest,
): Promise<Response> {
  return toResponse(await respondTo(config, request))
}

/** The same for servers that cannot use a `Response`. */
export async function respondTo(
  config: ResolvedConfig | InvalidConfig,
  request: SentRequest,
): Promise<WireResponse> {
  const { response } = await handle(config, request)
  const wire = write(config, request, response)
  return request.method === 'HEAD' ? { ...wire, body: null } : wire
}

/** The same as plain data. Failures are thrown. */
export async function respondRaw(
  config: ResolvedConfig | InvalidConfig,
  request: SentRequest,
): Promise<Response | ResponseInternal> {
  if (isClientMode(request)) return respond(config, request)
  const { response, failure } = await handle(config, request)
  if (failure !== undefined) throw asThrown(failure)
  return toInternal(response)
}

function write(
  { logger }: ResolvedConfig | InvalidConfig,
  request: SentRequest,
  response: Outgoing,
): WireResponse {
  try {
    return isClientMode(request) ? toClientWire(response) : toWire(response)
  } catch (error) {
    // All answers are ours but one: what the session callback returned, which may not be JSON.
    const message = 'What the session callback returned cannot be serialised as JSON.'
    logger.error(new JWTSessionError(message, { cause: error }))
    return toWire(unknownSession)
  }
}

/** A script that cannot follow redirects sends this header, whatever its value. */
function isClientMode(request: SentRequest): boolean {
  return request.headers.has('x-auth-return-redirect')
}
