import { CredentialsSignin, type HonoAuthConfig, SiteAuth } from '@siteauth/hono'
import { Hono, type MiddlewareHandler } from 'hono'
import { stream } from 'hono/streaming'
import type { GuardProbe } from '../../testing/src/integration-config.ts'

/** The application that the suite asks for. */
export function createApp(config: HonoAuthConfig, probe: GuardProbe): Hono {
  const auth = SiteAuth(config)
  const app = new Hono()
  app.use(auth.handler)
  const { except, allow } = probe
  if (probe.isInFront) app.use(auth.requireSession({ except, allow }))
  const guard = probe.isInFront ? pass : auth.requireSession()
  const adaOrNobody = probe.isInFront ? pass : auth.requireSession({ allow })
  app.get('/ran', c => c.text(String(probe.count)))
  app.get('/login', c => c.text(probe.signInPage))
  app.get('/files/*', guard, c => c.text(probe.ran()))
  app.get('/item/:id', guard, c => c.text(probe.ran()))
  app.get('/only-ada', adaOrNobody, c => c.text(probe.ran()))
  app.get('/', auth.sessionMiddleware, c =>
    c.html(`Hello, ${c.var.session?.user?.name ?? 'stranger'}`),
  )
  app.get('/api/me', async c => c.json(await auth.getSession(c)))
  app.get('/private', auth.requireSession(), c => c.html(`Private: ${c.var.session.user?.name}`))
  const onlyAda = auth.requireSession({ allow: ({ user }) => user?.name === 'Ada' })
  app.get('/admin', onlyAda, c => c.text('admin'))
  app.get('/stream', auth.sessionMiddleware, c => {
    const name = c.var.session?.user?.name
    return stream(c, async out => {
      await out.write(`${name} first, `)
      await out.write(`${name} second`)
    })
  })
  app.get('/still.txt', c => c.text('still'))
  app.post('/login', async c => {
    const { name, password } = await c.req.parseBody()
    try {
      return await auth.signIn(c, 'credentials', { name, password, redirectTo: '/private' })
    } catch (error) {
      if (error instanceof CredentialsSignin) return c.text('Who are you?', 401)
      throw error
    }
  })
  app.post('/logout', c => auth.signOut(c, { redirectTo: '/' }))
  app.post('/rename', async c => {
    const { name } = await c.req.parseBody()
    return c.json(await auth.update(c, { name }))
  })
  if (probe.isInFront) app.all('*', c => c.text(probe.ran()))
  app.onError((_error, c) => c.text('Something went wrong.', 500))
  return app
}

const pass: MiddlewareHandler = (_c, next) => next()
