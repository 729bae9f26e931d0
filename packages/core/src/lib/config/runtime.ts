import type { AuthError } from '../base/errors.ts'
import type { Profile } from '../base/user.ts'
import type { ResolvedOAuthProvider } from '../oauth/provider/resolve-provider.ts'
import type { ServerDirectory } from '../oauth/provider/server.ts'
import type { OAuthConfig } from '../providers/oauth.ts'
import type { RejectedSessions } from '../session/rejecting/rejected-sessions.ts'
import type { RefreshDependencies, RefreshOutcome } from '../tokens/refresh-account.ts'
import type { SharedCalls } from '../tokens/shared-calls.ts'
import type { TimedCache } from '../tokens/timed-cache.ts'
import type { StoredTokens } from '../tokens/token-set.ts'
import type { UsedChallenges } from '../webauthn/used-challenges.ts'

/**
 * The memory of a process for one configuration. Each member is made by the code that first needs it, so that reading
 * sessions loads none of this. Copies of a configuration share the object, whatever else differs in them.
 */
export interface Runtime {
  oauth?: OAuthRuntime
  tokens?: TokenRuntime
  /** Whether it was logged that addresses of visitors are unknown. */
  hasWarnedOfAddress?: boolean
  /** Whether it was logged that a request named this machine as its host. */
  hasWarnedOfLoopback?: boolean
  /** The error of the first request whose host is not configured. */
  hostProblem?: AuthError
  /** When the log last said that passwords of a provider are waiting, in milliseconds since 1970, by its id. */
  readonly crowdLoggedAt: Map<string, number>
  /** When the log last said that a provider could not be reached, in milliseconds since 1970, by its id. */
  readonly unreachableLoggedAt: Map<string, number>
  /** How many notices of a provider have been recorded, by their channel and its id. */
  readonly noticeBudgets: Map<string, NoticeBudget>
  /** The sessions in the database that were to be ended, and could not be. */
  rejectedSessions?: RejectedSessions
  /** The last error, in development. */
  lastError?: readonly string[]
  challenges?: UsedChallenges
  /** What was logged of sign-in pages that are behind a guard. */
  loggedPageLoops?: Set<string>
}

/** The notices in a minute. */
interface NoticeBudget {
  /** When the minute began, in milliseconds since 1970. */
  readonly since: number
  readonly spent: number
}

/** The state that sign-ins at providers share: the servers that were discovered, and the resolved providers. */
export interface OAuthRuntime {
  readonly servers: ServerDirectory
  /** Throws the error of a provider that cannot work. */
  resolve(provider: OAuthConfig<Profile>): ResolvedOAuthProvider
}

/** An account, with the tokens that it has now. */
export interface AccountTokens extends StoredTokens {
  readonly provider: string
  readonly providerAccountId: string
}

/** The state about tokens that all requests of an application share in one process. */
export interface TokenRuntime {
  readonly sharedCalls: SharedCalls
  /** Tokens as they were read, by session. */
  readonly read: TimedCache<AccountTokens>
  /** Why an account could not be refreshed a moment ago. */
  readonly failed: TimedCache<RefreshOutcome>
  readonly unsaved: RefreshDependencies['unsaved']
  /** Digests of refresh tokens that have ended, for stores without a column for it. */
  readonly ended: TimedCache<true>
  /** For how many seconds the access tokens of a provider are valid, as far as it said. */
  readonly lifetimes: Map<string, number>
  /** The warnings that were logged: each once. */
  readonly warned: Set<string>
}
