// Compiled by `npm run check`: an application on Express 4.
import {
  type ExpressAuthConfig,
  getSession,
  ServerAuth,
  type Session,
  SiteAuth,
} from '@siteauth/express'
import express, { type NextFunction, type Request, type Response } from 'express4'

const config: ExpressAuthConfig = { providers: [] }
const app = express()
const auth = SiteAuth(config)
app.use('/auth/*', ServerAuth(config))
app.use('/auth', auth.handler)
app.use(auth.sessionMiddleware)

app.get('/account', auth.requireSession({ redirectTo: '/login' }), (_req, res) => {
  const found: Session = res.locals.session
  res.send(found.user?.name)
})

// As in sections 5.8 and 5.9 of the specification.
export async function authenticatedUser(
  req: Request,
  res: Response,
  next: NextFunction,
): Promise<void> {
  const found = res.locals['session'] ?? (await getSession(req, config))
  if (!found?.user) {
    res.redirect('/login')
  } else {
    next()
  }
}

export async function authSession(req: Request, res: Response, next: NextFunction): Promise<void> {
  res.locals['session'] = await getSession(req, config)
  next()
}

app.get('/who', async (req, res) => void res.json(await auth.getSession(req)))
app.post('/login', async req => void (await auth.signIn(req, 'github')))
app.post('/logout', async req => void (await auth.signOut(req)))
