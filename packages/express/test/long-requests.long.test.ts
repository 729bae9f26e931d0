import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ExpressAuthConfig, getSession, ServerAuth } from '@siteauth/express'
import { describe, expect, it } from 'vitest'
import { memoryAdapter } from '../../core/test/spec/memory-adapter.ts'
import { configure, serve, versions, visitAsAnn } from './server.ts'

const DAY = 24 * 60 * 60 * 1000

for (const { name, express } of versions) {
  describe.each(['jwt', 'database'] as const)(`${name}, sessions by %s`, strategy => {
    /** An application, Ann in it, and a way to end her session. */
    async function start() {
      const clock = { now: Date.now() }
      const store = memoryAdapter([{ id: '1', name: 'Ann', email: 'ann@example.test' }])
      const revoked = { yes: false }
      const config = configure({
        ports: { now: () => clock.now },
        ...(strategy === 'database'
          ? { adapter: store.adapter }
          : { callbacks: { jwt: ({ token }) => (revoked.yes ? null : token) } }),
      })
      const app = express().use('/auth', ServerAuth(config))
      const origin = await serve(app)
      const ann = await visitAsAnn(`${origin}/auth`)
      const end = () => {
        store.sessions.clear()
        revoked.yes = true
      }
      return { app, origin, ann, config, clock, end }
    }

    async function namesOf(req: IncomingMessage, config: ExpressAuthConfig, between: () => void) {
      const before = (await getSession(req, config))?.user?.name
      between()
      return [before, (await getSession(req, config))?.user?.name]
    }

    it('an upgraded request has no session any more when that has ended', async () => {
      const { ann, config, end } = await start()
      const server = createServer()
      const seen = new Promise(resolve => {
        server.on('upgrade', (req, socket) => {
          resolve(namesOf(req, config, end))
          socket.destroy()
        })
      })
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      const { port } = server.address() as AddressInfo // it listens on a port
      const headers = { connection: 'upgrade', upgrade: 'websocket', cookie: ann.cookieHeader() }
      request({ port, host: '127.0.0.1', headers })
        .on('error', () => {})
        .end()
      expect(await seen).toEqual(['Ann', undefined])
      server.close()
    })

    it('a stream has no session any more when that has ended', async () => {
      const { app, origin, ann, config, end } = await start()
      app.get('/stream', async (req, res) => {
        res.flushHeaders()
        res.end(JSON.stringify(await namesOf(req, config, end)))
      })
      expect(await (await ann.get(`${origin}/stream`)).json()).toEqual(['Ann', null])
    })

    it('a stream that began after the first look has none either', async () => {
      const { app, origin, ann, config, end } = await start()
      app.get('/stream', async (req, res) => {
        res.end(
          JSON.stringify(
            await namesOf(req, config, () => {
              res.flushHeaders()
              end()
            }),
          ),
        )
      })
      expect(await (await ann.get(`${origin}/stream`)).json()).toEqual(['Ann', null])
    })

    it('a request that waits for long has none, though nothing was answered yet', async () => {
      const { app, origin, ann, config, clock, end } = await start()
      app.get('/poll', async (req, res) => {
        const between = () => {
          clock.now += 60_000
          end()
        }
        res.json(await namesOf(req, config, between))
      })
      expect(await (await ann.get(`${origin}/poll`)).json()).toEqual(['Ann', null])
    })

    it('a session that expires ends on a request that is still open', async () => {
      const { app, origin, ann, config, clock } = await start()
      app.get('/poll', async (req, res) => {
        const between = () => {
          clock.now += 31 * DAY
        }
        res.json(await namesOf(req, config, between))
      })
      expect(await (await ann.get(`${origin}/poll`)).json()).toEqual(['Ann', null])
    })
  })
}
