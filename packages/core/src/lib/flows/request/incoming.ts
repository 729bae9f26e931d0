import type { ResolvedConfig, SchemeConfig } from '../../config/resolved-config.ts'
import { schemeOf } from '../../config/resolved-config.ts'
import type { ParsedRequest } from '../../http/request.ts'
import { findOwnSession, type OwnSession } from '../../principal/settle-session.ts'

/** A request at a door: what was sent, and what the configuration keeps for visitors of its scheme. */
export interface Incoming extends ParsedRequest, SchemeConfig {
  /** The session that came along, looked for once: whose it is, and whether it is valid, is not known. */
  arrivedSession(): Promise<OwnSession | null>
}

/** Lets a parsed request in. */
export function receive(config: ResolvedConfig, parsed: ParsedRequest): Incoming {
  const { cookieOptions, sessions } = schemeOf(config, parsed.origin)
  let arrived: Promise<OwnSession | null> | undefined
  return {
    ...parsed,
    cookieOptions,
    sessions,
    arrivedSession() {
      arrived ??= findOwnSession(
        sessions,
        parsed.headers.get('cookie'),
        cookieOptions.sessionToken.name,
      )
      return arrived
    },
  }
}

/** They describe the body that came. */
const BODY_HEADERS = ['content-type', 'content-length', 'transfer-encoding']

/** The request as the application may read it once more: same URL and headers, the fields as JSON. */
export function repeatRequest({ url, headers, body }: ParsedRequest): Request {
  const repeated = [...headers].filter(([name]) => !BODY_HEADERS.includes(name))
  repeated.push(['content-type', 'application/json'])
  return new Request(url, { method: 'POST', headers: repeated, body: JSON.stringify(body) })
}
