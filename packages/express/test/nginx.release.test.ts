import type { Express } from 'express'
import { afterEach, describe, vi } from 'vitest'
import { Visitor } from '../../core/test/visitor.ts'
import { describeFlows } from './flow-suite.ts'
import { type Nginx, startNginx } from './nginx.ts'
import { serve } from './server.ts'

const program = process.env['NGINX_PATH']
const running: Nginx[] = []

afterEach(async () => {
  for (const nginx of running.splice(0)) await nginx.close()
})

async function front(app: Express): Promise<Nginx> {
  const nginx = await startNginx(program ?? '', await serve(app))
  running.push(nginx)
  return nginx
}

// Set by the runner of the tests, which says so where it cannot.
describe.skipIf(!program)('behind a proxy', () => {
  describeFlows('behind nginx with TLS that keeps the path, by trust proxy', async app => {
    app.set('trust proxy', 'loopback')
    const { origin, send } = await front(app)
    return {
      site: `${origin}/whole`,
      visit: base => new Visitor(send, base),
      prefix: '/whole',
      config: { basePath: '/whole/auth' },
    }
  })

  describeFlows('behind nginx with TLS that takes a prefix off, by AUTH_URL', async app => {
    const { origin, send } = await front(app)
    vi.stubEnv('AUTH_URL', `${origin}/stripped/auth`)
    return {
      site: `${origin}/stripped`,
      visit: base => new Visitor(send, base),
      prefix: '',
      config: { basePath: '/auth' },
    }
  })
})
