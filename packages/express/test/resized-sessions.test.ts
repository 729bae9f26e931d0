import { type AuthInstance, SiteAuth } from '@siteauth/express'
import type { RequestHandler } from 'express'
import { describe, expect, it } from 'vitest'
import type { Visitor } from '../../core/test/visitor.ts'
import { configure, serve, versions, visitAsAnn } from './server.ts'

// A session that grows or shrinks is stored under other names: in one cookie, or in several parts.
const SIZES = [
  ['from one cookie to several', 10, 6000],
  ['from several cookies to one', 6000, 10],
] as const

describe.each(versions)('$name: a session that a renewal moves', ({ express }) => {
  describe.each(SIZES)('%s', (_, before, after) => {
    async function setUp(
      change: (auth: AuthInstance, req: Parameters<RequestHandler>[0]) => Promise<unknown>,
    ) {
      let size: number = before
      const callbacks = {
        jwt: ({ token }: { token: object }) => ({ ...token, data: 'x'.repeat(size) }),
      }
      const auth: AuthInstance = SiteAuth(configure({ callbacks }))
      const app = express()
      app.use('/auth', auth.handler)
      app.post('/change', (req, res, next) => {
        const run = async () => {
          await auth.getSession(req)
          await change(auth, req)
          res.end()
        }
        run().catch(next)
      })
      const origin = await serve(app)
      const ann: Visitor = await visitAsAnn(`${origin}/auth`)
      size = after
      await ann.send(`${origin}/change`, { method: 'POST' })
      return ann
    }

    it('is gone after a sign-out in the same request', async () => {
      const ann = await setUp((auth, req) => auth.signOut(req, { redirect: false }))
      expect([...ann.cookies.keys()].filter(name => name.includes('session-token'))).toEqual([])
    })
  })
})

it.each([null, false, 0, ''])('a guard whose allow is %j lets no user through', async allow => {
  const auth = SiteAuth(configure())
  for (const { express } of versions) {
    const app = express()
    app.use('/auth', auth.handler)
    const guard = auth.requireSession({ allow: allow as never })
    app.get('/admin', guard, (_req, res) => void res.send('secret'))
    const origin = await serve(app)
    const ann = await visitAsAnn(`${origin}/auth`)
    const response = await fetch(`${origin}/admin`, { headers: { cookie: ann.cookieHeader() } })
    expect(await response.text()).not.toContain('secret')
  }
})

it('requireSession throws if it is called in a handler, with the request', async () => {
  const auth = SiteAuth(configure())
  expect(() => auth.requireSession({ headers: {}, url: '/' } as never)).toThrow('redirectTo, allow')
  expect(() => auth.requireSession({ roles: ['admin'] } as never)).toThrow('was given roles')
})
