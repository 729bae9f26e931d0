import { malformedHost, toResponse } from '@siteauth/core/integration'

/** Answers a request whose `Host` header is malformed. Loaded late: writing a response takes code that a proxy does without. */
export function answerMalformedHost(): Response {
  return toResponse(malformedHost())
}
