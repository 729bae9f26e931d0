import type { OIDCConfig } from '@siteauth/core/providers'
import { type Profile, SiteAuth } from '@siteauth/express'
import type { RequestHandler } from 'express'
import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../adapters/src/memory.ts'
import { CLIENT_ID, CLIENT_SECRET, createFakeServer } from '../../core/test/oauth/fake-server.ts'
import { configure, serve, versions, visit } from './server.ts'

for (const { name, express } of versions) {
  describe(`${name}: logout that reaches everybody`, () => {
    async function start(...before: RequestHandler[]) {
      const op = await createFakeServer({ alg: 'ES256' })
      const provider: OIDCConfig<Profile> = {
        ...{ id: 'op', name: 'OP', type: 'oidc', issuer: op.issuer },
        ...{ clientId: CLIENT_ID, clientSecret: CLIENT_SECRET },
        ...{ logout: 'provider', backChannelLogout: true },
      }
      const config = configure({
        providers: [provider],
        adapter: MemoryAdapter(),
        ports: { fetch: op.fetch },
      })
      const app = express()
      for (const each of before) app.use(each)
      const auth = SiteAuth(config)
      app.use('/auth', auth.handler)
      app.post('/leave', (req, _res, next) => {
        auth.signOut(req, { redirectTo: '/bye' }).catch(next)
      })
      const origin = await serve(app)
      const visitor = visit(`${origin}/auth`)
      const started = await visitor.post('/signin/op')
      const url = new URL(started.headers.get('location') ?? '')
      await visitor.get(`/callback/op?${op.authorize(url)}`)
      expect(await visitor.session()).toMatchObject({ user: { name: 'Ada Lovelace' } })
      return { op, origin, visitor }
    }

    it('signs out at the provider, too, by a handler of the application', async () => {
      const { op, origin, visitor } = await start()
      const left = await visitor.send(`${origin}/leave`, { method: 'POST' })
      const onward = await visitor.send(left.headers.get('location') ?? '')
      const there = new URL(onward.headers.get('location') ?? '')
      expect(there.origin + there.pathname).toBe(`${op.issuer}/logout`)
      const state = there.searchParams.get('state')
      const back = await visitor.get(`/signout/return?state=${state}`)
      expect(back.headers.get('location')).toBe(`${origin}/bye`)
      expect(await visitor.session()).toBeNull()
    })

    it.each([
      ['no parser', []],
      ['express.urlencoded()', [express.urlencoded({ extended: true })]],
    ])('takes the notice of a provider, with %s before it', async (_what, before) => {
      const { op, visitor } = await start(...before)
      const iat = Math.floor(Date.now() / 1000)
      const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
      const claims = { iss: op.issuer, aud: CLIENT_ID, sub: 'ada', jti: '1', events }
      const logout_token = await op.sign({ ...claims, iat, exp: iat + 60 })
      const body = new URLSearchParams({ logout_token })
      const notice = await visitor.send('/backchannel-logout/op', {
        method: 'POST',
        headers: { cookie: '' },
        body,
      })
      expect(notice.status).toBe(200)
      expect(await visitor.session()).toBeNull()
    })
  })
}
