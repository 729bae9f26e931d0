export { type Clock, createClock, type Duration } from './lib/clock.ts'
export type { ProductionOption } from './lib/reject-production.ts'
export { sessionOf, type TestSession } from './lib/session/session-of.ts'
export {
  type SignedInBrowser,
  type SignInAsOptions,
  signInAs,
  type TestedConfig,
} from './lib/session/sign-in-as.ts'
export type { TestCookie } from './lib/session/test-cookie.ts'
export { Visitor } from './lib/visitor.ts'
