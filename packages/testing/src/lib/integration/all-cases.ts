import { ANSWER_CASES } from './answer-cases.ts'
import { CALL_CASES } from './call-cases.ts'
import { GUARD_CASES } from './guard-cases.ts'
import type { IntegrationCase } from './integration-case.ts'
import { REQUEST_CASES } from './request-cases.ts'
import { SESSION_CASES } from './session-cases.ts'
import { SIGN_IN_CASES } from './sign-in-cases.ts'

export type { IntegrationCase }

/** All cases, by what they are about. */
export type IntegrationCaseGroups = Readonly<Record<string, readonly IntegrationCase[]>>

/** All cases of `integrationSuite`, for runners other than Vitest and for tables. */
export const INTEGRATION_CASES: IntegrationCaseGroups = {
  'signing in': SIGN_IN_CASES,
  sessions: SESSION_CASES,
  guards: GUARD_CASES,
  'calls of the application': CALL_CASES,
  requests: REQUEST_CASES,
  answers: ANSWER_CASES,
}
