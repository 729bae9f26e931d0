import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { RefreshAnswer } from '../../oauth/token/refresh-tokens.ts'
import type { RefreshOutcome, RefreshParts } from '../../tokens/refresh-account.ts'
import { createFlights, type Flights } from '../../tokens/shared-calls.ts'
import { createMemo, type Memo } from '../../tokens/timed-cache.ts'
import type { KeptTokens } from '../../tokens/token-set.ts'

/** An account, with the tokens that it has now. */
export interface AccountTokens extends KeptTokens {
  readonly provider: string
  readonly providerAccountId: string
}

/** What one process knows of tokens, for all requests of an application. */
export interface TokenRuntime {
  readonly flights: Flights
  /** Tokens as they were read, by session. */
  readonly read: Memo<AccountTokens>
  /** Why an account could not be refreshed a moment ago. */
  readonly failed: Memo<RefreshOutcome>
  readonly unsaved: RefreshParts['unsaved']
  /** Marks of refresh tokens that are of no use, for stores that have no column for it. */
  readonly ended: Memo<true>
  /** For how many seconds the access tokens of a provider are valid, as far as it said. */
  readonly lifetimes: Map<string, number>
  /** What was warned of: each once. */
  readonly warned: Set<string>
}

// Keyed by the providers, which all variants of a configuration share, and dropped with them.
const runtimes = new WeakMap<ResolvedConfig['providers'], TokenRuntime>()

/** What this process knows of tokens. */
export function tokenRuntime({ providers }: Pick<ResolvedConfig, 'providers'>): TokenRuntime {
  let runtime = runtimes.get(providers)
  if (!runtime) {
    runtime = {
      flights: createFlights(),
      read: createMemo(),
      failed: createMemo(),
      unsaved: new Map(),
      ended: createMemo(),
      lifetimes: new Map(),
      warned: new Set(),
    }
    runtimes.set(providers, runtime)
  }
  return runtime
}

/** What refresh tokens in cookies were exchanged for, by a mark of each. */
interface Exchanges {
  readonly flights: Flights
  /** Other requests still bring the old one. */
  readonly exchanged: Memo<KeptTokens>
  /** Why one was not exchanged, a moment ago. */
  readonly failed: Memo<Extract<RefreshAnswer, { readonly ok: false }>>
}

/** How long a provider that failed is left alone, in milliseconds. */
export const RESPITE = 5000

const exchangesKey = Symbol.for('siteauth.token-exchanges')

/**
 * One per process, also where a bundler has put several copies of this module into it: a proxy and the pages
 * behind it are given the same cookie. Nobody finds anything here who does not have the refresh token.
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
