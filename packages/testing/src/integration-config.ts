export { type GuardProbe, guardProbe } from './lib/integration/guard-probe.ts'
export { type IntegrationConfig, integrationConfig } from './lib/integration/integration-config.ts'
