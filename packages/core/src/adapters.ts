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
  SessionRenewal,
  SignedUp,
  SignUp,
  VerificationToken,
} from './lib/base/model.ts'
