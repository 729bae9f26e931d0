import { OAuthCallbackError } from '../../base/errors.ts'
import type { Exchange } from './exchange-code.ts'

/** 2001. A smaller number is not a time in seconds, whatever a server means by it. */
const EARLIEST = 1_000_000_000

/**
 * When the provider wants the session here to end at the latest, in milliseconds: `session_expiry` of the
 * ID token (OpenID IPSIE), or of the token response.
 */
export function sessionLimit({ claims, tokens }: Exchange, now: number): number | undefined {
  const times = [claims?.['session_expiry'], tokens['session_expiry']]
    .filter(each => typeof each === 'number' && each >= EARLIEST)
    .map(each => Math.floor(Number(each) * 1000))
  const cap = Math.min(...times)
  if (cap <= now)
    throw new OAuthCallbackError('The provider says that the session is over already.')
  // A time beyond any date is not a limit.
  return cap <= MAX_DATE ? cap : undefined
}

/** The last moment that a date can be. */
const MAX_DATE = 8.64e15
