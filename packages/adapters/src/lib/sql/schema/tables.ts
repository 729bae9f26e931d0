/** The names of the tables in the database. */
export interface TableNames {
  users: string
  accounts: string
  sessions: string
  verificationTokens: string
  authenticators: string
  revocations: string
  trackedSessions: string
  limits: string
  passwords: string
}

/** The names of `@auth/pg-adapter`, and those of our additions. */
export const DEFAULT_TABLE_NAMES: TableNames = {
  users: 'users',
  accounts: 'accounts',
  sessions: 'sessions',
  verificationTokens: 'verification_token',
  authenticators: 'authenticators',
  revocations: 'revocations',
  trackedSessions: 'tracked_sessions',
  limits: 'limits',
  passwords: 'passwords',
}

/** The content of a column; each database has its own type for it. */
export type ColumnKind =
  | 'userId'
  | 'key'
  /** At most 255 letters of ASCII, compared to the byte. */
  | 'asciiKey'
  /** An id from a provider or an authenticator: long, and with any characters. */
  | 'foreignId'
  | 'address'
  | 'text'
  | 'longText'
  | 'number'
  | 'boolean'
  | 'date'

interface Column {
  readonly kind: ColumnKind
  readonly null: boolean
}

/** A table as migrations create it. */
export interface Table {
  readonly columns: Readonly<Record<string, Column>>
  readonly primaryKey: readonly string[]
  /** Sets of columns in which no two rows are equal. */
  readonly unique: readonly (readonly string[])[]
  /** Columns by which rows are looked up, beside those that are unique. */
  readonly indexes: readonly (readonly string[])[]
  /** Columns of indexes that earlier versions created, and that one of today replaces. */
  readonly replacedIndexes?: readonly (readonly string[])[]
}

/** The columns that describe a session in a user's list. */
const SESSION_DETAILS = {
  createdAt: optional('date'),
  lastSeenAt: optional('date'),
  userAgent: optional('text'),
  label: optional('text'),
  provider: optional('text'),
}

/** The columns of Auth.js's own adapters, under the same names, and some more. */
export const TABLES: Readonly<Record<keyof TableNames, Table>> = {
  users: {
    columns: {
      id: required('userId'),
      name: optional('text'),
      email: optional('address'),
      emailVerified: optional('date'),
      image: optional('longText'),
    },
    primaryKey: ['id'],
    unique: [['email']],
    indexes: [],
  },
  accounts: {
    columns: {
      userId: required('userId'),
      type: required('key'),
      provider: required('key'),
      providerAccountId: required('foreignId'),
      refresh_token: optional('longText'),
      access_token: optional('longText'),
      expires_at: optional('number'),
      id_token: optional('longText'),
      scope: optional('longText'),
      session_state: optional('longText'),
      token_type: optional('text'),
      token_error: optional('text'),
      dpop_key: optional('longText'),
      issuer: optional('text'),
      lease_holder: optional('asciiKey'),
      // Milliseconds, by the clock of the database.
      lease_until: optional('number'),
    },
    primaryKey: ['provider', 'providerAccountId'],
    unique: [],
    indexes: [['userId']],
  },
  sessions: {
    columns: {
      sessionToken: required('key'),
      userId: required('userId'),
      expires: required('date'),
      ...SESSION_DETAILS,
    },
    primaryKey: ['sessionToken'],
    unique: [],
    // A user's last sessions are found by the first one, however many have expired.
    indexes: [['userId', 'expires'], ['expires']],
    replacedIndexes: [['userId']],
  },
  verificationTokens: {
    columns: {
      identifier: required('address'),
      token: required('key'),
      expires: required('date'),
    },
    primaryKey: ['identifier', 'token'],
    unique: [],
    indexes: [['expires']],
  },
  authenticators: {
    columns: {
      credentialID: required('foreignId'),
      userId: required('userId'),
      providerAccountId: required('foreignId'),
      credentialPublicKey: required('longText'),
      counter: required('number'),
      credentialDeviceType: required('key'),
      credentialBackedUp: required('boolean'),
      transports: optional('text'),
    },
    primaryKey: ['credentialID'],
    unique: [],
    indexes: [['userId']],
  },
  // Times are milliseconds of the database's clock: compared there, and no driver can mistake them for local.
  revocations: {
    columns: {
      revocationKey: required('asciiKey'),
      generation: optional('number'),
      expires: required('number'),
      changed: required('number'),
    },
    primaryKey: ['revocationKey'],
    unique: [],
    indexes: [['expires'], ['changed']],
  },
  trackedSessions: {
    columns: {
      id: required('asciiKey'),
      // Any text: users who sign in with a password may be stored elsewhere.
      userId: required('key'),
      expires: required('date'),
      ...SESSION_DETAILS,
    },
    primaryKey: ['id'],
    unique: [],
    // A user's last sessions are found by the first one, however many have expired.
    indexes: [['userId', 'expires'], ['expires']],
    replacedIndexes: [['userId']],
  },
  // Times are milliseconds of the caller's clock.
  limits: {
    columns: {
      limitKey: required('asciiKey'),
      attempts: required('number'),
      notBefore: required('number'),
      expires: required('number'),
    },
    primaryKey: ['limitKey'],
    unique: [],
    indexes: [['expires']],
  },
  passwords: {
    columns: {
      userId: required('userId'),
      hash: required('asciiKey'),
      changedAt: required('date'),
    },
    primaryKey: ['userId'],
    unique: [],
    indexes: [],
  },
}

/** The columns for leases, which accounts of Auth.js lack. */
export const LEASE_COLUMNS: readonly string[] = ['lease_holder', 'lease_until']

function required(kind: ColumnKind): Column {
  return { kind, null: false }
}

function optional(kind: ColumnKind): Column {
  return { kind, null: true }
}
