import { isHttpsSite, needsBinding } from '../config/cookies.ts'
import type { ResolvedConfig, SchemeConfig } from '../config/resolved-config.ts'
import { schemeOf } from '../config/scheme.ts'
import type { SessionIssuer } from '../session/store.ts'
import {
  type ReceivedCredentials,
  stateOf,
  toCredentials,
  type WithCredentials,
} from './credentials-state.ts'

export type { WithCredentials } from './credentials-state.ts'

/** The configuration for requests of one origin, with the credentials of this one. */
export interface Received extends Pick<SchemeConfig, 'cookieOptions'> {
  readonly sessions: SessionIssuer
  readonly credentials: ReceivedCredentials
}

/** Takes the credentials of a request, without looking at them yet. */
export function receiveCredentials(
  config: ResolvedConfig,
  origin: string,
  header: string | null,
): Received {
  const { cookieOptions, sessions } = schemeOf(config, origin)
  const { sessionToken: cookie, sessionBinding } = cookieOptions
  // Without stored users, nothing is ever added to one.
  const canLink = config.adapter?.getUser !== undefined
  const isNeeded = canLink && isHttpsSite(config, origin) && needsBinding(cookieOptions)
  const binding = isNeeded ? { cookie: sessionBinding, secrets: config.secrets } : null
  const credentials = toCredentials({ sessions, cookie, header, binding, canSetCookies: true })
  return { cookieOptions, sessions, credentials }
}

/** States that the response to this request cannot set cookies: no token is made that could not be sent. */
export function forbidCookies(request: WithCredentials): void {
  stateOf(request).canSetCookies = false
}
