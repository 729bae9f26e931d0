import type { IncomingMessage, ServerResponse } from 'node:http'
import { hasMalformedHost, malformedHost } from '@siteauth/core/internal'
import { writeServerResponse } from '@siteauth/core/node'

/** Answers a request whose `Host` header is malformed with 400. Returns whether it did. */
export function rejectMalformedHost(req: IncomingMessage, res: ServerResponse): boolean {
  const { host = null } = req.headers
  if (!hasMalformedHost({ get: () => host })) return false
  writeServerResponse(res, malformedHost())
  return true
}
