import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { MemoryAdapter } from '../../adapters/src/memory.ts'
import { integrationSuite } from '../../testing/src/integration.ts'
import { guardProbe, integrationConfig } from '../../testing/src/integration-config.ts'
import { createApp } from './application.ts'
import { versions } from './server.ts'

for (const { name, express } of versions) {
  integrationSuite({
    name,
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
