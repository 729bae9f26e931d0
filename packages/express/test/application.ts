import type { ServerResponse } from 'node:http'
import { AuthError, CredentialsSignin, type ExpressAuthConfig, SiteAuth } from '@siteauth/express'
import type { ErrorRequestHandler, Express } from 'express'
import type { GuardProbe } from '../../testing/src/integration-config.ts'

/** The application that the suite asks for. */
export function createApp(
  express: typeof import('express'),
  config: ExpressAuthConfig,
  probe: GuardProbe,
): Express {
  const app = express()
  app.set('trust proxy', 'loopback')
  const auth = SiteAuth(config)
  app.use('/auth', auth.handler)
  const { except, allow } = probe
  if (probe.isInFront) app.use(auth.requireSession({ except, allow }))
  const guarded = probe.isInFront ? [] : [auth.requireSession()]
  const forAda = probe.isInFront ? [] : [auth.requireSession({ allow })]
  const run = (_req: unknown, res: ServerResponse) => void res.end(probe.ran())
  app.get('/ran', (_req, res) => void res.type('text').send(String(probe.count)))
  app.get('/login', auth.sessionMiddleware, (_req, res) => void res.send(probe.signInPage))
  // Express 4 and 5 write wildcards differently.
  app.get(/^\/files\/.*/i, ...guarded, run)
  app.get('/item/:id', ...guarded, run)
  app.get('/only-ada', ...forAda, run)
  app.get('/', auth.sessionMiddleware, (_req, res) => {
    res.send(`<p>Hello, ${res.locals.session?.user?.name ?? 'stranger'}</p>`)
  })
  app.get('/api/me', async (req, res, next) => {
    auth.getSession(req).then(found => res.json(found), next)
  })
  app.get('/private', auth.requireSession(), (_req, res) => {
    res.send(`<p>Private: ${res.locals.session.user?.name}</p>`)
  })
  const admins = auth.requireSession({ allow: ({ user }) => user?.name === 'Ada' })
  app.get('/admin', admins, (_req, res) => void res.send('admin'))
  app.get('/stream', auth.sessionMiddleware, (_req, res) => {
    const name = res.locals.session?.user?.name
    res.write(`${name} first, `)
    setImmediate(() => res.end(`${name} second`))
  })
  app.get('/still.txt', (_req, res) => void res.type('text').send('still'))
  const form = express.urlencoded({ extended: false })
  app.post('/login', form, (req, _res, next) => {
    const options = { ...req.body, redirectTo: '/private' }
    auth.signIn(req, 'credentials', options).catch(next)
  })
  app.post('/logout', (req, _res, next) => {
    auth.signOut(req, { redirectTo: '/' }).catch(next)
  })
  app.post('/rename', form, (req, res, next) => {
    auth.update(req, { name: req.body.name }).then(found => res.json(found), next)
  })
  if (probe.isInFront) app.use(run)
  app.use(answerError)
  return app
}

const answerError: ErrorRequestHandler = (error, _req, res, next) => {
  if (!(error instanceof AuthError)) return next(error)
  res.status(statusOf(error)).type('text').send(error.type)
}

function statusOf(error: AuthError): number {
  if (error instanceof CredentialsSignin) return 401
  return error.type === 'SessionTokenError' ? 503 : 400
}
