import { type AuthInstance, type ExpressAuthConfig, SiteAuth } from '@siteauth/express'
import type { ErrorRequestHandler, Express } from 'express'
import { describe, expect, it } from 'vitest'
import { type RawRequest, sendRaw } from '../../testing/src/integration.ts'
import { configure, serve, versions, visitAsAnn } from './server.ts'

const PAGE = { accept: 'text/html' }

const answerError: ErrorRequestHandler = (_error, _req, res, _next) => {
  res.status(500).send('failed')
}

describe.each(versions)('$name', ({ name, express }) => {
  let ran = 0

  function create(
    config: ExpressAuthConfig,
    addRoutes: (app: Express, auth: AuthInstance) => void,
  ): Express {
    ran = 0
    const auth = SiteAuth(config)
    const app = express()
    app.use('/auth', auth.handler)
    addRoutes(app, auth)
    app.use((_req, res) => {
      ran++
      res.send('secret')
    })
    app.use(answerError)
    return app
  }

  it.each([undefined, null, '', 0, false, 'route', 'router'])(
    'a guard whose `allow` throws %j fails, rather than go on',
    async thrown => {
      const config = configure()
      const origin = await serve(
        create(config, (app, auth) => {
          app.use(auth.requireSession({ allow: () => Promise.reject(thrown) }))
        }),
      )
      const ann = await visitAsAnn(`${origin}/auth`)
      expect((await ann.send(`${origin}/account`)).status).toBe(500)
      expect(ran).toBe(0)
    },
  )

  it.each([false, '', 0])('a session callback that returns %j signs nobody in', async returned => {
    const config = configure({ callbacks: { session: () => returned as never } })
    const origin = await serve(
      create(config, (app, auth) => {
        app.use(auth.requireSession({ allow: () => true }))
      }),
    )
    const ann = await visitAsAnn(`${origin}/auth`)
    expect((await ann.send(`${origin}/account`)).status).toBe(500)
    expect(ran).toBe(0)
  })

  const mounts =
    name === 'Express 4'
      ? [['/', '/api'], '/:lang?', '/:lang(en|fr)?', '(/en)?']
      : [['/', '/api'], '/{:lang}']

  it.each(mounts.map(mount => [mount]))(
    'a mount at %j that cuts a slash off exempts nothing by that',
    async mount => {
      const config = configure({ pages: { signIn: '/login' } })
      const origin = await serve(
        create(config, (app, auth) => {
          app.use(mount, auth.requireSession({ except: ['/login'] }))
        }),
      )
      for (const target of ['//login', '///login', '//login/']) {
        const request: RawRequest = { target, headers: PAGE }
        expect([target, (await sendRaw(origin, request)).body]).not.toEqual([target, 'secret'])
      }
      expect(ran).toBe(0)
    },
  )
})
