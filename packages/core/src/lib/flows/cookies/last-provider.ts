import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { type SetCookie, setCookie } from '../../http/cookies.ts'
import type { ProvenIdentity } from '../../session/store.ts'
import { addressWays } from '../provider/email-first-methods.ts'
import type { Incoming } from '../request/incoming.ts'

/** Half a year: whoever comes rarely is the one who forgets how they signed in. */
const MAX_AGE = 180 * 24 * 60 * 60

/** The cookie that names the provider somebody has just signed in with. It says nothing of the person. */
export function rememberProvider(
  config: ResolvedConfig,
  request: Incoming,
  { account, terms, isContinued }: ProvenIdentity,
): readonly SetCookie[] {
  // A computer that is to forget somebody does not keep how they signed in either.
  if (addressWays(config).length === 0 || isContinued || terms?.tmp) return []
  return [setCookie(request.cookieOptions.lastProvider, account.provider, { maxAge: MAX_AGE })]
}

/** The id of the provider this browser signed in with last; null if none is known. */
export function lastProvider(config: ResolvedConfig, request: Incoming): string | null {
  const id = request.cookies[request.cookieOptions.lastProvider.name]
  const isUsed = id !== undefined && addressWays(config).length > 0
  return isUsed && config.providers.has(id) ? id : null
}
