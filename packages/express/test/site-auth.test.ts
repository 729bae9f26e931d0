import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type AuthInstance,
  type ExpressAuthConfig,
  getSession,
  type ServerRequest,
  SiteAuth,
} from '@siteauth/express'
import type { Express, RequestHandler } from 'express'
import { describe, expect, it, vi } from 'vitest'
import { MemoryAdapter } from '../../adapters/src/memory.ts'
import { memoryAdapter } from '../../core/test/spec/memory-adapter.ts'
import type { Visitor } from '../../core/test/visitor.ts'
import { configure, serve, versions, visit, visitAsAnn } from './server.ts'

const DAY = 24 * 60 * 60 * 1000

/** Resolves with a request that asks a server of Node's own for a WebSocket. */
async function upgradeOf(visitor: Visitor, headers = {}): Promise<IncomingMessage> {
  const server = createServer()
  const arrived = once(server, 'upgrade')
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  const own = { connection: 'upgrade', upgrade: 'websocket', cookie: visitor.cookieHeader() }
  request({ port, host: '127.0.0.1', headers: { ...own, ...headers } })
    .on('error', () => {})
    .end()
  const [req, socket] = await arrived
  socket.destroy()
  server.close()
  return req
}

it('SiteAuth throws at once if there is no configuration', () => {
  expect(() => SiteAuth(undefined as never)).toThrow(/SiteAuth needs a configuration/)
})

describe.each(versions)('$name', ({ express }) => {
  async function start(config: ExpressAuthConfig, set: (app: Express) => void = () => {}) {
    const app = express().use('/auth', SiteAuth(config).handler)
    set(app)
    const origin = await serve(app)
    return { origin, base: `${origin}/auth` }
  }

  it('puts the response on every request: all calls rely on it', async () => {
    const seen: boolean[] = []
    const note: RequestHandler = (req, res, next) => {
      seen.push(req.res === res)
      next()
    }
    const answer: RequestHandler = (req, res) => void res.json([...seen, req.res === res])
    const { origin } = await start(configure(), app => {
      app.use(note)
      app.use('/router', express.Router().use(note).get('/', answer))
      app.use('/app', express().use(note).get('/', answer))
      app.get('/route', note, answer)
    })
    for (const path of ['/router', '/app', '/route']) {
      seen.length = 0
      expect(await (await fetch(origin + path)).json()).toEqual([true, true, true])
    }
  })

  it('has one handler for the endpoints', () => {
    const auth = SiteAuth(configure())
    expect(auth.handler).toBe(auth.handler)
  })

  it('warns only of endpoints that nobody has asked for', async () => {
    const config = configure()
    const { listProviders } = SiteAuth(config)
    const app = express()
    app.get('/login', (req, res, next) => {
      listProviders(req).then(found => res.json(found.length), next)
    })
    const origin = await serve(app)
    expect(await (await fetch(`${origin}/login`)).json()).toBe(1)
    expect(config.warnings).toEqual(['endpoints-not-mounted'])
  })

  it.each([
    ['signIn', (auth: AuthInstance, req: ServerRequest) => auth.signIn(req, 'credentials', RIGHT)],
    ['signOut', (auth: AuthInstance, req: ServerRequest) => auth.signOut(req)],
    ['update', (auth: AuthInstance, req: ServerRequest) => auth.update(req, { name: 'Eve' })],
    ['sessions.rotate', (auth: AuthInstance, req: ServerRequest) => auth.sessions.rotate(req)],
    [
      'sessions.endOthers',
      (auth: AuthInstance, req: ServerRequest) => auth.sessions.endOthers(req),
    ],
  ])('rejects %s after the response has begun, and changes nothing', async (name, call) => {
    const store = memoryAdapter([{ id: '1', name: 'Ann', email: 'ann@example.test' }])
    const config = configure({ adapter: store.adapter })
    const auth = SiteAuth(config)
    const { origin, base } = await start(config, app => {
      app.get('/late', async (req, res) => {
        res.write('begun: ')
        res.end(await call(auth, req).then(String, String))
      })
    })
    const ann = await visitAsAnn(base)
    const before = JSON.stringify([...store.sessions])
    expect(await (await ann.get(`${origin}/late`)).text()).toBe(
      `begun: TypeError: ${name} sets a cookie. Call it before the response begins.`,
    )
    expect(JSON.stringify([...store.sessions])).toBe(before)
  })

  it('sends people to the sign-in page, although no cookie can be set', async () => {
    const config = configure()
    const auth = SiteAuth(config)
    const { origin } = await start(config, app => {
      app.get('/late', async (req, res) => {
        res.write('begun: ')
        res.end(await auth.signIn(req))
      })
    })
    expect(await (await fetch(`${origin}/late`)).text()).toMatch(/^begun: \/auth\/signin\?/)
  })

  it.each([
    ['an option', () => ({ redirect: false })],
    ['a field of a form', () => formOf({ redirect: 'false' })],
  ])('only resolves with the URL if `redirect` is false, by %s', async (_by, options) => {
    const config = configure()
    const auth = SiteAuth(config)
    const { origin, base } = await start(config, app => {
      app.post('/leave', (req, res, next) => {
        auth.signOut(req, options()).then(url => res.json({ url }), next)
      })
    })
    const ann = await visitAsAnn(base)
    const response = await ann.send(`${origin}/leave`, { method: 'POST' })
    expect([response.status, await response.json()]).toEqual([200, { url: `${origin}/` }])
    expect(await ann.session()).toBeNull()
  })

  it('signs in with a form as the options', async () => {
    const config = configure()
    const auth = SiteAuth(config)
    const { origin, base } = await start(config, app => {
      app.post('/enter', (req, _res, next) => {
        const form = formOf({ password: 'right', redirectTo: '/account' })
        auth.signIn(req, 'credentials', form).catch(next)
      })
    })
    const visitor = visit(base)
    const response = await visitor.send(`${origin}/enter`, { method: 'POST' })
    expect([response.status, response.headers.get('location')]).toEqual([302, `${origin}/account`])
    expect(await visitor.session()).toMatchObject({ user: { name: 'Ann' } })
  })

  describe.each(['jwt', 'database'] as const)('a WebSocket upgrade, sessions by %s', strategy => {
    async function upgrade(headers = {}) {
      const clock = { now: Date.now() }
      const adapter = MemoryAdapter()
      await adapter.createUser({ id: '1', email: 'ann@example.test', emailVerified: null })
      const config = configure({
        adapter,
        ports: { now: () => clock.now },
        session: { strategy, track: true },
      })
      const { base } = await start(config)
      const ann = await visitAsAnn(base)
      clock.now += 2 * DAY
      const renew = vi.spyOn(adapter, 'updateSession')
      return { auth: SiteAuth(config), config, renew, req: await upgradeOf(ann, headers) }
    }

    it('has a session, which is not renewed', async () => {
      const { auth, config, renew, req } = await upgrade()
      expect(await auth.getSession(req)).toMatchObject(ANN)
      expect(await getSession(req, config)).toMatchObject(ANN)
      expect(renew).not.toHaveBeenCalled()
    })

    it('makes calls that need no cookie, and no others', async () => {
      const { auth, req } = await upgrade({ 'x-forwarded-host': 'evil.example' })
      const asExpress = req as ServerRequest // what a caller without types can pass
      expect(await auth.sessions.list(asExpress)).toHaveLength(1)
      await expect(auth.sessions.rotate(asExpress)).rejects.toThrow(
        'sessions.rotate sets a cookie. This request has no response to set it on, as in a WebSocket upgrade.',
      )
    })
  })
})

const ANN = { user: { email: 'ann@example.test' } }

const RIGHT = { password: 'right' }

function formOf(fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}
