export {
  INTEGRATION_CASES,
  type IntegrationCase,
  type IntegrationCaseGroups,
} from './lib/integration/all-cases.ts'
export {
  type IntegrationSuiteOptions,
  integrationSuite,
  type RunningApplication,
  type StartApplication,
} from './lib/integration/integration-suite.ts'
export {
  openSite,
  type SessionKind,
  type Site,
  type SiteVariables,
} from './lib/integration/site.ts'
