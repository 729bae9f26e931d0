import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { type SetCookie, setCookie } from '../../http/cookies.ts'
import type { ProvenIdentity } from '../../session/store.ts'
import { emailFirstMethods } from '../provider/email-first-methods.ts'
import type { Incoming } from '../request/incoming.ts'

/** Half a year: a user who comes rarely is the one who forgets how they signed in. */
const MAX_AGE = 180 * 24 * 60 * 60

/** The cookie with the provider that the user has just signed in with. It contains nothing about the user. */
export function rememberProvider(
  config: ResolvedConfig,
  request: Incoming,
  { account, limits, isContinued }: ProvenIdentity,
): readonly SetCookie[] {
  // A shared computer does not store the provider either.
  if (emailFirstMethods(config).length === 0 || isContinued || limits?.tmp) return []
  return [setCookie(request.cookieOptions.lastProvider, account.provider, { maxAge: MAX_AGE })]
}

/** The id of the provider this browser signed in with last; null if none is known. */
export function lastProvider(config: ResolvedConfig, request: Incoming): string | null {
  const id = request.cookies[request.cookieOptions.lastProvider.name]
  const isUsed = id !== undefined && emailFirstMethods(config).length > 0
  return isUsed && config.providers.has(id) ? id : null
}
