/** What a column holds. Each ORM and each database has its own word for it. */
export type Kind =
  | 'id'
  /** Short, and looked up by. */
  | 'key'
  /** Long texts: tokens, addresses of images. */
  | 'text'
  /** Of 32 bits, as the published adapters have it. */
  | 'integer'
  /** Milliseconds. */
  | 'bigint'
  | 'boolean'
  | 'date'

/** A column. */
interface Column {
  readonly kind: Kind
  readonly isRequired: boolean
}

/** A table, for all ORMs. */
export interface Table {
  /** What it is called in the database, where our adapters look for it. */
  readonly name: string
  /** What the published Prisma adapter calls it. */
  readonly model: string
  /** What the published Drizzle adapter calls it. */
  readonly export: string
  readonly columns: Readonly<Record<string, Column>>
  readonly primaryKey: readonly string[]
  readonly unique: readonly string[]
  readonly indexes: readonly (readonly string[])[]
  /** Whether its rows go when their user goes. */
  readonly isOfUser: boolean
  /** Whether the published adapters use it, too. */
  readonly isPublished: boolean
}

const DETAILS = {
  createdAt: optional('date'),
  lastSeenAt: optional('date'),
  userAgent: optional('text'),
  label: optional('text'),
  provider: optional('text'),
}

/** What the adapters need: those that are published for Auth.js, and ours, which use more. */
export const TABLES: readonly Table[] = [
  {
    name: 'users',
    model: 'User',
    export: 'usersTable',
    columns: {
      id: required('id'),
      name: optional('text'),
      email: optional('key'),
      emailVerified: optional('date'),
      image: optional('text'),
    },
    primaryKey: ['id'],
    unique: ['email'],
    indexes: [],
    isOfUser: false,
    isPublished: true,
  },
  {
    name: 'accounts',
    model: 'Account',
    export: 'accountsTable',
    columns: {
      userId: required('id'),
      type: required('key'),
      provider: required('key'),
      providerAccountId: required('key'),
      refresh_token: optional('text'),
      access_token: optional('text'),
      expires_at: optional('integer'),
      token_type: optional('text'),
      scope: optional('text'),
      id_token: optional('text'),
      session_state: optional('text'),
      token_error: optional('text'),
      dpop_key: optional('text'),
      issuer: optional('text'),
      lease_holder: optional('key'),
      lease_until: optional('bigint'),
    },
    primaryKey: ['provider', 'providerAccountId'],
    unique: [],
    indexes: [['userId']],
    isOfUser: true,
    isPublished: true,
  },
  {
    name: 'sessions',
    model: 'Session',
    export: 'sessionsTable',
    columns: {
      sessionToken: required('key'),
      userId: required('id'),
      expires: required('date'),
      ...DETAILS,
    },
    primaryKey: ['sessionToken'],
    unique: [],
    indexes: [['userId', 'expires'], ['expires']],
    isOfUser: true,
    isPublished: true,
  },
  {
    name: 'verification_token',
    model: 'VerificationToken',
    export: 'verificationTokensTable',
    columns: { identifier: required('key'), token: required('key'), expires: required('date') },
    primaryKey: ['identifier', 'token'],
    unique: [],
    indexes: [['expires']],
    isOfUser: false,
    isPublished: true,
  },
  {
    name: 'authenticators',
    model: 'Authenticator',
    export: 'authenticatorsTable',
    columns: {
      credentialID: required('key'),
      userId: required('id'),
      providerAccountId: required('key'),
      credentialPublicKey: required('text'),
      counter: required('integer'),
      credentialDeviceType: required('key'),
      credentialBackedUp: required('boolean'),
      transports: optional('text'),
    },
    primaryKey: ['userId', 'credentialID'],
    unique: ['credentialID'],
    indexes: [],
    isOfUser: true,
    isPublished: true,
  },
  {
    name: 'revocations',
    model: 'Revocation',
    export: 'revocationsTable',
    columns: {
      revocationKey: required('key'),
      generation: optional('bigint'),
      expires: required('bigint'),
      changed: required('bigint'),
    },
    primaryKey: ['revocationKey'],
    unique: [],
    indexes: [['expires'], ['changed']],
    isOfUser: false,
    isPublished: false,
  },
  {
    name: 'tracked_sessions',
    model: 'TrackedSession',
    export: 'trackedSessionsTable',
    columns: {
      id: required('key'),
      userId: required('key'),
      expires: required('date'),
      ...DETAILS,
    },
    primaryKey: ['id'],
    unique: [],
    indexes: [['userId', 'expires'], ['expires']],
    isOfUser: false,
    isPublished: false,
  },
  {
    name: 'limits',
    model: 'Limit',
    export: 'limitsTable',
    columns: {
      limitKey: required('key'),
      attempts: required('bigint'),
      notBefore: required('bigint'),
      expires: required('bigint'),
    },
    primaryKey: ['limitKey'],
    unique: [],
    indexes: [['expires']],
    isOfUser: false,
    isPublished: false,
  },
  {
    name: 'passwords',
    model: 'Password',
    export: 'passwordsTable',
    columns: { userId: required('id'), hash: required('text'), changedAt: required('date') },
    primaryKey: ['userId'],
    unique: [],
    indexes: [],
    isOfUser: true,
    isPublished: false,
  },
]

function required(kind: Kind): Column {
  return { kind, isRequired: true }
}

function optional(kind: Kind): Column {
  return { kind, isRequired: false }
}
