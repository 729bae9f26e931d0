import { AuthError, getSession, SiteAuth } from '@siteauth/express'
import { expect, it } from 'vitest'
import { MemoryAdapter } from '../../adapters/src/memory.ts'
import { createMailCatcher } from '../../testing/src/mail.ts'
import { configure, serve, versions, visit } from './server.ts'

it.each(versions)(
  'signs in by a code that a page of the application asks for: $name',
  async version => {
    const mail = createMailCatcher()
    const config = configure({
      adapter: MemoryAdapter(),
      pages: { verifyRequest: '/code' },
      providers: [
        {
          id: 'mail',
          name: 'Mail',
          type: 'email',
          code: true,
          sendVerificationRequest: mail.sendVerificationRequest,
        },
      ],
    })
    const app = version.express()
    app.use(version.express.urlencoded({ extended: false }))
    const auth = SiteAuth(config)
    app.use('/auth', auth.handler)
    app.post('/login', async (req, res) => {
      try {
        await auth.signIn(req, 'mail', { ...req.body, redirectTo: '/inbox' })
      } catch (error) {
        if (!(error instanceof AuthError)) throw error
        res.status(401).send(`${error.type} ${'code' in error ? String(error.code) : ''}`)
      }
    })
    app.get('/who', async (req, res) => void res.json(await getSession(req, config)))
    const origin = await serve(app)
    const visitor = visit(origin)
    const send = (fields: Record<string, string>) =>
      visitor.send('/login', { method: 'POST', body: new URLSearchParams(fields) })

    const asked = await send({ email: 'ann@example.com' })
    expect(asked.headers.get('location')).toContain('/auth/verify-request')
    const wrong = await send({ code: 'BBBB-BBBB' })
    expect(await wrong.text()).toBe('EmailCodeError wrong_code')
    const done = await send({ code: mail.to('ann@example.com').code ?? '' })
    expect(done.headers.get('location')).toBe(`${origin}/inbox`)
    expect(await (await visitor.get('/who')).json()).toMatchObject({
      user: { email: 'ann@example.com' },
    })
  },
)
