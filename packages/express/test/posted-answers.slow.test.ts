import type { OIDCConfig } from '@siteauth/core/providers'
import { type Profile, ServerAuth } from '@siteauth/express'
import type { RequestHandler } from 'express'
import { describe, expect, it } from 'vitest'
import { createFakeServer, type FakeServer } from '../../core/test/oauth/fake-server.ts'
import type { Visitor } from '../../core/test/visitor.ts'
import { configure, serve, versions, visit } from './server.ts'

/** As parsers of multipart forms do that take plain forms as well: every field is a list. */
const lists: RequestHandler = (req, _res, next) => {
  const chunks: Buffer[] = []
  req.on('data', chunk => chunks.push(chunk))
  req.on('end', () => {
    const form = new URLSearchParams(Buffer.concat(chunks).toString())
    req.body = Object.assign(Object.create(null), {
      ...Object.fromEntries([...form.keys()].map(name => [name, form.getAll(name)])),
    })
    next()
  })
}

for (const { name, express } of versions) {
  const parsers: Record<string, RequestHandler[]> = {
    'no parser': [],
    'express.json()': [express.json()],
    'express.urlencoded({ extended: false })': [express.urlencoded({ extended: false })],
    'express.urlencoded({ extended: true })': [express.urlencoded({ extended: true })],
    'express.json() and express.urlencoded()': [
      express.json(),
      express.urlencoded({ extended: true }),
    ],
    'express.text()': [express.text()],
    'express.text() for everything': [express.text({ type: '*/*' })],
    'express.raw() for everything': [express.raw({ type: '*/*' })],
    'a parser that makes lists': [lists],
  }

  describe(`${name}: an answer that a provider posts`, () => {
    async function start(before: RequestHandler[]) {
      const server = await createFakeServer()
      const provider: OIDCConfig<Profile> = {
        id: 'op',
        name: 'OP',
        type: 'oidc',
        issuer: server.issuer,
        clientId: 'client',
        clientSecret: 'secret',
        authorization: { params: { response_mode: 'form_post' } },
      }
      const config = configure({ providers: [provider], ports: { fetch: server.fetch } })
      const app = express()
      for (const each of before) app.use(each)
      app.use('/auth', ServerAuth(config))
      const visitor = visit(`${await serve(app)}/auth`)
      const started = await visitor.post('/signin/op')
      const answer = server.authorize(new URL(started.headers.get('location') ?? ''))
      return { server, visitor, answer }
    }

    /** The whole way back, as browsers go it from another site. */
    async function comeBack(visitor: Visitor, server: FakeServer, body: URLSearchParams) {
      const headers = { origin: new URL(server.issuer).origin, 'sec-fetch-site': 'cross-site' }
      const kept = await visitor.send('/callback/op', { method: 'POST', headers, body })
      const to = kept.headers.get('location') ?? ''
      return visitor.send(to, { headers: { 'sec-fetch-site': 'cross-site' } })
    }

    it.each(Object.entries(parsers))('signs in after %s', async (_parser, handlers) => {
      const { server, visitor, answer } = await start(handlers)
      await comeBack(visitor, server, answer)
      expect(await visitor.session()).toMatchObject({ user: expect.anything() })
    })

    it.each(Object.entries(parsers))(
      'may have fields with brackets in their names after %s',
      async (_parser, handlers) => {
        const { server, visitor, answer } = await start(handlers)
        answer.append('user[name][first]', 'Ann')
        answer.append('groups[]', 'a')
        answer.append('groups[]', 'b')
        await comeBack(visitor, server, answer)
        expect(await visitor.session()).toMatchObject({ user: expect.anything() })
      },
    )

    it.each(Object.entries(parsers))(
      'is refused where it has two codes, after %s',
      async (_parser, handlers) => {
        const { server, visitor, answer } = await start(handlers)
        answer.append('code', 'another')
        await comeBack(visitor, server, answer)
        expect(await visitor.session()).toBeNull()
      },
    )
  })
}
