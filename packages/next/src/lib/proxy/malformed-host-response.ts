import { toResponse } from '@siteauth/core/integration'
import { malformedHost } from '@siteauth/core/internal'

/** Answers a request whose `Host` header is malformed. Loaded late: writing a response takes code that a proxy does without. */
export function malformedHostResponse(): Response {
  return toResponse(malformedHost())
}
