export type {
  AccountKey,
  AccountLease,
  Adapter,
  AdapterAccount,
  AdapterAccountType,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  ClaimedUser,
  ConditionalLink,
  CreatedSignUp,
  LinkCondition,
  LinkOutcome,
  NewSignUp,
  RemainingSession,
  RevocationCondition,
  SessionRenewal,
  UserClaim,
  VerificationToken,
} from './lib/base/adapter.ts'
export { isDate } from './lib/base/iso-date.ts'
export type { SessionDetails } from './lib/base/session.ts'
export type {
  Limiter,
  LimitRule,
  NewRevocation,
  PasswordStore,
  RevocationEntry,
  RevocationLog,
  RevocationPage,
  StoredPassword,
  TrackedSession,
  TrackedSessions,
} from './lib/base/stores.ts'
export { userRevocation } from './lib/revocation/keys/user-revocation.ts'
