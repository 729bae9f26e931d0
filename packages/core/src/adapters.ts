export { isDate } from './lib/base/is-date.ts'
export type {
  Adapter,
  AdapterAccount,
  AdapterAccountType,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  Ending,
  Revocation,
  RevocationLog,
  SessionDetails,
  SessionRenewal,
  SignedUp,
  SignUp,
  TrackedSession,
  TrackedSessions,
  VerificationToken,
} from './lib/base/model.ts'
