import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { MemoryAdapter } from '../../adapters/src/memory.ts'
import { type IntegrationSuiteOptions, integrationSuite } from '../../testing/src/integration.ts'
import { guardProbe, integrationConfig } from '../../testing/src/integration-config.ts'
import { createApp } from './application.ts'
import { versions } from './server.ts'

/** The integration suite for one version of Express. */
export function versionSuite(
  major: (typeof versions)[number]['major'],
  attacks?: IntegrationSuiteOptions['attacks'],
): void {
  const { name, express } = versions.find(version => version.major === major) ?? versions[0]
  integrationSuite({
    name,
    attacks,
    async start(env) {
      const config = integrationConfig(env, MemoryAdapter())
      const server = createServer(createApp(express, config, guardProbe(env)))
      await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
      return {
        origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        async stop() {
          server.closeAllConnections()
          await new Promise(resolve => server.close(resolve))
        },
      }
    },
  })
}
