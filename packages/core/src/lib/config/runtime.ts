import type { Profile } from '../base/user.ts'
import type { ResolvedOAuthProvider } from '../oauth/provider/resolve-provider.ts'
import type { ServerDirectory } from '../oauth/provider/server.ts'
import type { OAuthConfig } from '../providers/oauth.ts'
import type { RefreshOutcome, RefreshParts } from '../tokens/refresh-account.ts'
import type { Flights } from '../tokens/shared-calls.ts'
import type { Memo } from '../tokens/timed-cache.ts'
import type { StoredTokens } from '../tokens/token-set.ts'
import type { UsedChallenges } from '../webauthn/used-challenges.ts'

/**
 * What a process remembers for one configuration. Each member is made by the code that first needs it, so that
 * reading sessions loads none of this. Copies of a configuration share the object, whatever else differs in them.
 */
export interface Runtime {
  oauth?: OAuthRuntime
  tokens?: TokenRuntime
  /** Whether the log says that addresses of visitors are unknown. */
  hasWarnedOfAddress?: boolean
  /** When the log last said that passwords of a provider are waiting, in milliseconds since 1970, by its id. */
  readonly crowdLoggedAt: Map<string, number>
  /** What went wrong last, in development. */
  lastError?: readonly string[]
  challenges?: UsedChallenges
}

/** What sign-ins at providers share: the servers that are known, and the providers in full. */
export interface OAuthRuntime {
  readonly servers: ServerDirectory
  /** Throws the error that says why, for a provider that cannot work. */
  resolve(provider: OAuthConfig<Profile>): ResolvedOAuthProvider
}

/** An account, with the tokens that it has now. */
export interface AccountTokens extends StoredTokens {
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
