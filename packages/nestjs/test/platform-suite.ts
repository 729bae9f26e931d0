import type { AddressInfo } from 'node:net'
import { ExpressAdapter } from '@nestjs/platform-express'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { MemoryAdapter } from '../../adapters/src/memory.ts'
import { type IntegrationSuiteOptions, integrationSuite } from '../../testing/src/integration.ts'
import { guardProbe, integrationConfig } from '../../testing/src/integration-config.ts'
import { createApp } from './application.ts'

const PLATFORMS = {
  Express: () => {
    const adapter = new ExpressAdapter()
    adapter.set('trust proxy', 'loopback')
    return adapter
  },
  Fastify: () => new FastifyAdapter({ trustProxy: 'loopback' }),
}

/** The integration suite for NestJS on one of its platforms. */
export function platformSuite(
  platform: keyof typeof PLATFORMS,
  attacks?: IntegrationSuiteOptions['attacks'],
): void {
  integrationSuite({
    name: `NestJS on ${platform}`,
    attacks,
    async start(env) {
      const config = integrationConfig(env, MemoryAdapter())
      const app = await createApp(config, PLATFORMS[platform](), guardProbe(env))
      await app.listen(0, '127.0.0.1')
      const { port } = app.getHttpServer().address() as AddressInfo
      return {
        origin: `http://127.0.0.1:${port}`,
        async stop() {
          app.getHttpServer().closeAllConnections()
          await app.close()
        },
      }
    },
  })
}
