import { MemoryAdapter } from '../../adapters/src/memory.ts'
import { integrationSuite } from '../../testing/src/integration.ts'
import { guardProbe, integrationConfig } from '../../testing/src/integration-config.ts'
import { createApp } from './application.ts'

integrationSuite({
  name: 'Fastify',
  // All attacks are sent to the application in conformance/, before a release.
  attacks: 'sample',
  async start(env) {
    const app = await createApp(integrationConfig(env, MemoryAdapter()), guardProbe(env))
    return { origin: await app.listen({ host: '127.0.0.1', port: 0 }), stop: () => app.close() }
  },
})
