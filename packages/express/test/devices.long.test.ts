import { getSession, SiteAuth } from '@siteauth/express'
import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../adapters/src/memory.ts'
import type { Visitor } from '../../core/test/visitor.ts'
import { configure, serve, versions, visitAsAnn } from './server.ts'

describe.each(versions)('$name: the sessions of somebody', ({ express }) => {
  async function start() {
    const config = configure({
      adapter: MemoryAdapter(),
      session: { strategy: 'jwt', track: true },
    })
    const app = express()
    const auth = SiteAuth(config)
    app.use('/auth', auth.handler)
    app.get('/devices', async (req, res) => void res.json(await auth.sessions.list(req)))
    app.post('/end', express.json(), async (req, res) => {
      const isEnded = await auth.sessions.end(req, req.body.handle)
      res.json({ isEnded, session: await getSession(req, config) })
    })
    app.post('/end-others', async (req, res) => {
      res.json({ isEnded: await auth.sessions.endOthers(req) })
    })
    // Express 4 knows nothing of promises.
    app.post('/foreign', (req, res) => {
      auth.sessions.endOthers(req).then(
        () => res.json('ended'),
        error => res.status(403).json(error.type),
      )
    })
    const origin = await serve(app)
    const base = `${origin}/auth`
    const [phone, laptop] = [await visitAsAnn(base), await visitAsAnn(base)]
    const list = async (visitor: Visitor) =>
      (await visitor.get(`${origin}/devices`)).json() as Promise<
        { handle: string; isCurrent: boolean }[]
      >
    const post = (visitor: Visitor, path: string, body = {}, headers = {}) =>
      visitor.send(origin + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
    return { phone, laptop, list, post }
  }

  it('are listed, and one is ended', async () => {
    const { phone, laptop, list, post } = await start()
    const other = (await list(laptop)).find(({ isCurrent }) => !isCurrent)
    const answer = await post(laptop, '/end', { handle: other?.handle })
    expect(await answer.json()).toMatchObject({ isEnded: true, session: { user: { name: 'Ann' } } })
    expect(await phone.session()).toBeNull()
    expect(await list(laptop)).toHaveLength(1)
  })

  it('are not known any more in the very request that ended one’s own', async () => {
    const { laptop, list, post } = await start()
    const own = (await list(laptop)).find(({ isCurrent }) => isCurrent)
    const answer = await post(laptop, '/end', { handle: own?.handle })
    expect(await answer.json()).toEqual({ isEnded: true, session: null })
    expect(laptop.cookies.has('authjs.session-token')).toBe(false)
  })

  it('are ended all but one', async () => {
    const { phone, laptop, post } = await start()
    expect(await (await post(laptop, '/end-others')).json()).toEqual({ isEnded: true })
    expect(await phone.session()).toBeNull()
    expect(await laptop.session()).not.toBeNull()
  })

  it('are not ended by a page of another site', async () => {
    const { phone, laptop, post } = await start()
    const answer = await post(laptop, '/foreign', {}, { origin: 'https://evil.example' })
    expect([answer.status, await answer.json()]).toEqual([403, 'MissingCSRF'])
    expect(await phone.session()).not.toBeNull()
  })

  it('are served by the endpoints below a mount', async () => {
    const { phone, laptop } = await start()
    const sessions = (await (await laptop.get('/sessions')).json()) as { handle: string }[]
    expect(sessions).toHaveLength(2)
    expect(await (await laptop.post('/sessions/end', { others: 'true' })).json()).toEqual({
      ended: true,
    })
    expect(await phone.session()).toBeNull()
  })
})
