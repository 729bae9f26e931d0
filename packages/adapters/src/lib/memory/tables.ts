import type {
  AccountLease,
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  StoredPassword,
  TrackedSession,
  VerificationToken,
} from '@siteauth/core/adapters'
import { createIndexedTable, type IndexedTable } from './indexed-table.ts'

/** The tables of an adapter, each by its primary key. */
export interface MemoryTables {
  /** Also by address. */
  readonly users: IndexedTable<AdapterUser>
  /** This table, and those below, also by user. */
  readonly accounts: IndexedTable<AdapterAccount>
  readonly sessions: IndexedTable<AdapterSession>
  readonly authenticators: IndexedTable<AdapterAuthenticator>
  readonly passwords: IndexedTable<StoredPassword>
  readonly trackedSessions: IndexedTable<TrackedSession>
  readonly verificationTokens: IndexedTable<VerificationToken>
  /** By the keys of their accounts. */
  readonly leases: Map<string, AccountLease>
}

export function createTables(): MemoryTables {
  return {
    users: createIndexedTable(({ email }) => email),
    accounts: byUser(),
    sessions: byUser(),
    authenticators: byUser(),
    passwords: byUser(),
    trackedSessions: byUser(),
    // Each is found by its key alone.
    verificationTokens: createIndexedTable(() => null),
    leases: new Map(),
  }
}

function byUser<Row extends { userId: string }>(): IndexedTable<Row> {
  return createIndexedTable(({ userId }) => userId)
}
