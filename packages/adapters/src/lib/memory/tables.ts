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

/** The tables of an adapter, each by its primary key. */
export interface MemoryTables {
  readonly users: Map<string, AdapterUser>
  readonly accounts: Map<string, AdapterAccount>
  /** By the keys of their accounts. */
  readonly leases: Map<string, AccountLease>
  readonly sessions: Map<string, AdapterSession>
  readonly verificationTokens: Map<string, VerificationToken>
  readonly authenticators: Map<string, AdapterAuthenticator>
  readonly passwords: Map<string, StoredPassword>
  readonly trackedSessions: Map<string, TrackedSession>
}

export function createTables(): MemoryTables {
  return {
    users: new Map(),
    accounts: new Map(),
    leases: new Map(),
    sessions: new Map(),
    verificationTokens: new Map(),
    authenticators: new Map(),
    passwords: new Map(),
    trackedSessions: new Map(),
  }
}

/** Removes the rows that match. Returns how many there were. */
export function removeWhere<T>(table: Map<string, T>, matches: (row: T) => boolean): number {
  const keys = [...table].filter(([, row]) => matches(row)).map(([key]) => key)
  for (const key of keys) table.delete(key)
  return keys.length
}
