import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { TokenRuntime } from '../../config/runtime.ts'
import type { RefreshResult } from '../../oauth/token/refresh-tokens.ts'
import { createSharedCalls, type SharedCalls } from '../../tokens/shared-calls.ts'
import { createTimedCache, type TimedCache } from '../../tokens/timed-cache.ts'
import type { StoredTokens } from '../../tokens/token-set.ts'

export type { AccountTokens } from '../../config/runtime.ts'

/** The state about tokens in this process. */
export function tokenRuntime({ runtime }: Pick<ResolvedConfig, 'runtime'>): TokenRuntime {
  runtime.tokens ??= {
    sharedCalls: createSharedCalls(),
    read: createTimedCache(),
    failed: createTimedCache(),
    unsaved: new Map(),
    ended: createTimedCache(),
    lifetimes: new Map(),
    warned: new Set(),
  }
  return runtime.tokens
}

/** The tokens that refresh tokens in cookies were exchanged for, by a digest of each. */
interface Exchanges {
  readonly sharedCalls: SharedCalls
  /** Other requests still bring the old one. */
  readonly exchanged: TimedCache<StoredTokens>
  /** Why one was not exchanged, a moment ago. */
  readonly failed: TimedCache<Extract<RefreshResult, { readonly ok: false }>>
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
    sharedCalls: createSharedCalls(),
    exchanged: createTimedCache(),
    failed: createTimedCache(),
  }
  return shared[exchangesKey]
}
