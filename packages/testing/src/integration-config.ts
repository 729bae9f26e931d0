export { type IntegrationConfig, integrationConfig } from './lib/integration/integration-config.ts'
