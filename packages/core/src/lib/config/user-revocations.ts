import type { RevocationCondition } from '../base/adapter.ts'
import type { LoggerInstance } from '../base/logger.ts'
import type { StartTime } from '../base/start-time.ts'
import type { EmailConfig } from '../providers/email.ts'
import type { PasswordConfig } from '../providers/password.ts'
import type { ProviderObject } from '../providers/provider.ts'
import type { LazyRevocations, RevocationView } from '../session/revocation.ts'

/** When users were signed out everywhere: checked by sign-ins in progress. */
export interface UserRevocations {
  /** The time of the store; null if the store cannot contain any revocation. */
  readStart(): Promise<StartTime | null>
  /** The same for a caller that can do without: null as well if the store does not respond. */
  readStartBriefly(): Promise<StartTime | null>
  /** When all sessions of a user can first have been revoked after something started. */
  firstSince(start: StartTime, userId: string): Promise<number>
  /** When all sessions of a user were last revoked, by the clock of the store; 0 if they never were. */
  lastOf(userId: string): Promise<number>
  /** How a store can check that the sessions of a user were not revoked with a higher generation. */
  conditionOf(userId: string, generation: number): Promise<RevocationCondition>
  /**
   * Records that all sessions of a user are revoked. Returns when that was, by the clock of the store; null if it could
   * not be recorded.
   *
   * @param at the earliest time that it may have been; the present one if it is left out
   */
  record(userId: string, at?: number): Promise<number | null>
}

/** The dependencies of {@link UserRevocations}. */
interface UserRevocationDependencies {
  readonly revocations: LazyRevocations
  readonly strategy: 'jwt' | 'database'
  readonly logger: LoggerInstance
  readonly now: () => number
  /** For how many seconds a revocation is kept at least. */
  readonly retentionSeconds: number
}

/** A month and a day, in seconds: as long as a browser is known to have signed in, so that it does not become known again. */
const MIN_KEEP_SECONDS = 31 * 86_400

/** In seconds, since clocks differ. */
const MARGIN = 86_400

/** For how many seconds revocations of users are kept: as long as any link works that was sent before. */
export function revocationAge(providers: Iterable<ProviderObject>): number {
  const ages = [...providers].map(each => (isMailed(each) ? (each.maxAge ?? 0) : 0))
  return Math.max(MIN_KEEP_SECONDS, ...ages.map(age => age + MARGIN))
}

/** Whether a provider sends links. */
function isMailed(provider: ProviderObject): provider is EmailConfig | PasswordConfig {
  return provider.type === 'email' || provider.type === 'password'
}

/** Makes {@link UserRevocations} from the log of revocations. */
export function createUserRevocations(dependencies: UserRevocationDependencies): UserRevocations {
  const { revocations, strategy, retentionSeconds } = dependencies
  const view = (): Promise<RevocationView> => revocations.open()
  const recorded: UserRevocations = {
    readStart: async () => (await view()).readStart(),
    async readStartBriefly() {
      try {
        return await (await view()).readStartBriefly()
      } catch {
        return null // the code that needs the store later reports it
      }
    },
    firstSince: async (start, userId) => (await view()).firstRevocationSince(start, userId),
    lastOf: async userId => (await view()).lastRevocationOf(userId),
    conditionOf: async (userId, generation) => (await view()).conditionOfUser(userId, generation),
    record: async (userId, at) => (await view()).revokeUser(userId, { at, retentionSeconds }),
  }
  return strategy === 'jwt' ? recorded : withoutTable(recorded, dependencies)
}

/** How long a database that lacks the table is not asked again, in milliseconds. */
const ASK_AGAIN_AFTER = 60_000

/** Databases made for sessions in rows may lack the table: signing in must not depend on it. */
function withoutTable(
  recorded: UserRevocations,
  { logger, now }: Pick<UserRevocationDependencies, 'logger' | 'now'>,
): UserRevocations {
  let missedAt: number | null = null

  async function unlessMissing<Result>(
    ask: () => Promise<Result>,
    instead: Result,
  ): Promise<Result> {
    if (missedAt !== null && Math.abs(now() - missedAt) < ASK_AGAIN_AFTER) return instead
    try {
      return await ask()
    } catch (error) {
      if (!isMissingTable(error)) throw error
      if (missedAt === null) logger.warn('no-revocations-table')
      missedAt = now()
      return instead
    }
  }

  return {
    ...recorded,
    readStart: () => unlessMissing(recorded.readStart, null),
    lastOf: userId => unlessMissing(() => recorded.lastOf(userId), 0),
    record: (userId, at) => unlessMissing(() => recorded.record(userId, at), null),
  }
}

/**
 * Whether a call failed because the database lacks the table. Our adapters say so by the code of the error: a database that
 * was made for another purpose may do without some tables.
 */
function isMissingTable(error: unknown): boolean {
  return Object(error).code === 'missing_table'
}
