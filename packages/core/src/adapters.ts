export { isDate } from './lib/is-date.ts'
export type {
  Adapter,
  AdapterAccount,
  AdapterAccountType,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  SessionRenewal,
  SignedUp,
  SignUp,
  VerificationToken,
} from './lib/model.ts'
