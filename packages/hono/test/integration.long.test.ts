import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { MemoryAdapter } from '../../adapters/src/memory.ts'
import { integrationSuite } from '../../testing/src/integration.ts'
import { guardProbe, integrationConfig } from '../../testing/src/integration-config.ts'
import { createApp } from './application.ts'
import { keepOwnGlobals } from './own-globals.ts'

keepOwnGlobals()

integrationSuite({
  name: 'Hono',
  // All attacks are sent to the application in conformance/, before a release.
  attacks: 'sample',
  async start(env) {
    const app = createApp(integrationConfig(env, MemoryAdapter()), guardProbe(env))
    const server = createAdaptorServer(app)
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    return {
      origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      stop: () => new Promise(resolve => server.close(resolve)),
    }
  },
})
