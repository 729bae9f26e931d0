// Stores loop over these lists, so that a new table cannot be forgotten by one of them. A test compares them with the
// columns of the SQL tables.

/** The tables whose rows belong to users by the column `userId`, and are deleted with the user. */
export const OWNED_TABLES = [
  'accounts',
  'sessions',
  'authenticators',
  'passwords',
  'trackedSessions',
] as const

/** The tables whose rows `deleteExpired` may delete after the time in the column `expires`. */
export const EXPIRING_TABLES = [
  'sessions',
  'verificationTokens',
  'trackedSessions',
  'revocations',
  'limits',
] as const

export type OwnedTable = (typeof OWNED_TABLES)[number]
export type ExpiringTable = (typeof EXPIRING_TABLES)[number]
