import { type AddressInfo, connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type FastifyAuth, SiteAuth } from '@siteauth/fastify'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { config, headersOf } from '../../testing/test/hostile-site.ts'

let app: FastifyInstance
let ran = 0

afterEach(() => app.close())

/** An application that takes its time with each response, as session stores, compressors and audit logs do. */
async function start(guard: (auth: FastifyAuth) => void): Promise<number> {
  const auth = SiteAuth(config)
  app = Fastify()
  ran = 0
  await app.register(auth.plugin)
  app.addHook('onSend', async () => {
    await pause(30)
  })
  guard(auth)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  return port
}

const handler = async () => {
  ran++
  return 'deleted'
}

/** Sends a request, and hangs up while the response is on its way. */
async function hangUp(port: number, cookie = ''): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(`DELETE /account HTTP/1.1\r\nhost: localhost\r\ncookie: ${cookie}\r\n\r\n`)
  await pause(15)
  socket.destroy()
  await pause(60)
}

describe('a visitor who hangs up while the request is denied', () => {
  it.each([
    ['a guard of the route', (auth: FastifyAuth) => auth.requireSession(), false],
    [
      'a guard that rejects the user',
      (auth: FastifyAuth) => auth.requireSession({ allow: () => false }),
      true,
    ],
  ] as const)('does not pass %s', async (_, guardOf, isUser) => {
    const port = await start(auth => {
      app.delete('/account', { preHandler: guardOf(auth) }, handler)
    })
    await hangUp(port, isUser ? (await headersOf('Ben')).cookie : '')
    expect(ran).toBe(0)
  })

  it('does not pass a guard in front, nor one within a hook of the application', async () => {
    const port = await start(auth => {
      const guard = auth.requireSession({ except: ['/login'] })
      app.addHook('preHandler', async (request, reply) => {
        await guard.call(app, request, reply)
      })
      app.delete('/account', handler)
    })
    await hangUp(port)
    expect(ran).toBe(0)
  })
})
