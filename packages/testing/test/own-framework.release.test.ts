import type { AddressInfo } from 'node:net'
import { MemoryAdapter } from '../../adapters/src/memory.ts'
import { integrationSuite } from '../src/integration.ts'
import { guardProbe, integrationConfig } from '../src/integration-config.ts'
import { createApp } from './own-framework/application.ts'

integrationSuite({
  name: 'an own framework on Node, as in the guide',
  async start(env) {
    const server = createApp(integrationConfig(env, MemoryAdapter()), guardProbe(env))
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    return {
      origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      stop: async () => {
        server.closeAllConnections()
        await new Promise(resolve => server.close(resolve))
      },
    }
  },
})
