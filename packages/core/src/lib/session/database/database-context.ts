import type { AdapterSession } from '../../base/adapter.ts'
import type { Lifetime } from '../lifetime.ts'
import { createColumnHider } from './hide-columns.ts'
import type { HashMode } from './row-name.ts'
import type { SessionMethods } from './session-methods.ts'

/** The dependencies of a store of database sessions. */
export interface DatabaseStoreDependencies {
  readonly lifetime: Lifetime
  readonly rows: SessionMethods
  readonly generateSessionToken: () => string
  /** The secrets from which successors of tokens are derived, the newest first. */
  readonly secrets: readonly [string, ...string[]]
  /** Whether the rows have columns for {@link SessionDetails}. */
  readonly takesDetails: boolean
  /** Whether the rows are named by hashes of their tokens, or are about to be. */
  readonly hashTokens: HashMode | false
  /** Whether the application has a callback or an event that receives sessions. */
  readonly isWatched: boolean
  /** The columns of the user that sessions show besides; undefined if the application names none. */
  readonly expose: readonly string[] | undefined
  readonly now: () => number
}

/** The dependencies of every function of a database session. Created once per store and never changed. */
export interface DatabaseContext extends DatabaseStoreDependencies {
  readonly hideUserColumns: ReturnType<typeof createColumnHider>
  readonly hideSessionColumns: ReturnType<typeof createColumnHider>
}

/** Makes a {@link DatabaseContext}. */
export function createDatabaseContext(dependencies: DatabaseStoreDependencies): DatabaseContext {
  const { expose } = dependencies
  return Object.freeze({
    ...dependencies,
    hideUserColumns: createColumnHider([...VISIBLE_USER_COLUMNS, ...(expose ?? [])]),
    hideSessionColumns: createColumnHider(VISIBLE_SESSION_COLUMNS),
  })
}

/** The column for the last use of a session, if the rows have one. */
export function seenAt(
  { takesDetails }: Pick<DatabaseContext, 'takesDetails'>,
  time: number,
): Pick<AdapterSession, 'lastSeenAt'> {
  return takesDetails ? { lastSeenAt: new Date(time) } : {}
}

const VISIBLE_USER_COLUMNS = ['name', 'email', 'image']
const VISIBLE_SESSION_COLUMNS = ['userId', 'expires', 'user']
