export {
  INTEGRATION_CASES,
  type IntegrationCase,
  type IntegrationCaseGroups,
} from './lib/integration/all-cases.ts'
export {
  ATTACK_CASES,
  type AttackCase,
  type AttackedSite,
  type GuardPlace,
} from './lib/integration/attack-cases.ts'
export type { AttackExtent } from './lib/integration/guard-attacks.ts'
export { type GuardSuiteOptions, guardSuite } from './lib/integration/guard-suite.ts'
export {
  type IntegrationSuiteOptions,
  integrationSuite,
} from './lib/integration/integration-suite.ts'
export { type RawRequest, type RawResponse, sendRaw } from './lib/integration/raw-request.ts'
export {
  openSite,
  type SessionKind,
  type Site,
  type SiteSettings,
  type SiteVariables,
} from './lib/integration/site.ts'
export type { RunningApplication, StartApplication } from './lib/integration/start-application.ts'
