import { describe } from 'vitest'
import { MemoryAdapter } from '../../adapters/src/memory.ts'
import { startPlainNginx } from '../../express/test/nginx.ts'
import { guardSuite } from '../../testing/src/integration.ts'
import { guardProbe, integrationConfig } from '../../testing/src/integration-config.ts'
import { createApp } from './application.ts'

// Set by the runner of the tests, which says so where it cannot.
const program = process.env['NGINX_PATH']

/** What people write into their settings. */
const WRITTEN = {
  $http_host: 'proxy_set_header Host $http_host;',
  $host: 'proxy_set_header Host $host; proxy_set_header X-Forwarded-Host $http_host;',
}

describe.skipIf(!program).each(Object.entries(WRITTEN))(
  'behind nginx, by %s',
  (name, directives) => {
    guardSuite({
      name: `Fastify behind nginx with ${name}`,
      async start(env) {
        const app = await createApp(integrationConfig(env, MemoryAdapter()), guardProbe(env))
        const upstream = await app.listen({ host: '127.0.0.1', port: 0 })
        const nginx = await startPlainNginx(program ?? '', upstream, directives)
        return {
          origin: nginx.origin,
          async stop() {
            await nginx.close()
            await app.close()
          },
        }
      },
    })
  },
)
