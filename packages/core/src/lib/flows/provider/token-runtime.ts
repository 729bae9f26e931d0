import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { TokenRuntime } from '../../config/runtime.ts'
import type { RefreshAnswer } from '../../oauth/token/refresh-tokens.ts'
import { createFlights, type Flights } from '../../tokens/shared-calls.ts'
import { createMemo, type Memo } from '../../tokens/timed-cache.ts'
import type { StoredTokens } from '../../tokens/token-set.ts'

export type { AccountTokens } from '../../config/runtime.ts'

/** The state about tokens in this process. */
export function tokenRuntime({ runtime }: Pick<ResolvedConfig, 'runtime'>): TokenRuntime {
  runtime.tokens ??= {
    flights: createFlights(),
    read: createMemo(),
    failed: createMemo(),
    unsaved: new Map(),
    ended: createMemo(),
    lifetimes: new Map(),
    warned: new Set(),
  }
  return runtime.tokens
}

/** The tokens that refresh tokens in cookies were exchanged for, by a digest of each. */
interface Exchanges {
  readonly flights: Flights
  /** Other requests still bring the old one. */
  readonly exchanged: Memo<StoredTokens>
  /** Why one was not exchanged, a moment ago. */
  readonly failed: Memo<Extract<RefreshAnswer, { readonly ok: false }>>
}

/** How long a provider that failed is left alone, in milliseconds. */
export const RESPITE = 5000

const exchangesKey = Symbol.for('siteauth.token-exchanges')

/**
 * One per process, also if a bundler has put several copies of this module into it: a proxy and the pages behind it
 * receive the same cookie. Only a caller with the refresh token finds its tokens here.
 */
export function sharedExchanges(): Exchanges {
  const shared = globalThis as { [exchangesKey]?: Exchanges }
  shared[exchangesKey] ??= {
    flights: createFlights(),
    exchanged: createMemo(),
    failed: createMemo(),
  }
  return shared[exchangesKey]
}
