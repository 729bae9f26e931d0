import type { SentRequest } from '@siteauth/core/integration'
import type { SentHeaders } from '@siteauth/core/internal/endpoints'
import { NodeHeaders } from '@siteauth/core/internal/node'
import { type ReadBody, sentRequest } from '@siteauth/core/node'
import type { ServerRequest } from '../express.ts'
import { hostHeaders, requestScheme, senderOf } from './address.ts'
import { existingState } from './request-state.ts'

interface Sent {
  readonly method?: string | undefined
  readonly body?: ReadBody | undefined
}

/** The request as the engine takes it, for one path of this server. */
export function toRequest(
  req: ServerRequest,
  path: string,
  { method, body }: Sent = {},
): SentRequest {
  const { headers } = req
  const protocol = requestScheme(req, headers)
  const sender = () => senderOf(req)
  return sentRequest({ method, headers, protocol, path, own: ownHeaders(req), body, sender })
}

/** The headers of a request as the engine takes them. */
export function engineHeaders(req: ServerRequest): SentHeaders {
  return new NodeHeaders(req.headers, new Map(ownHeaders(req)))
}

function* ownHeaders(req: ServerRequest): Iterable<[string, string]> {
  yield* hostHeaders(req, req.headers)
  // An earlier sign-in or sign-out of this very request counts.
  const changed = existingState(req)?.cookieHeader
  if (changed !== undefined) yield ['cookie', changed]
}
