export { isDate } from './lib/is-date.ts'
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
} from './lib/model.ts'
