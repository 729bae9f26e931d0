// Compiled by `npm run check`: an application on Express 4.
import {
  type ExpressAuthConfig,
  getSession,
  requireSession,
  ServerAuth,
  type Session,
  session,
  signIn,
  signOut,
} from '@siteauth/express'
import express, { type NextFunction, type Request, type Response } from 'express4'

const config: ExpressAuthConfig = { providers: [] }
const app = express()
app.use('/auth/*', ServerAuth(config))
app.use(session(config))

app.get('/account', requireSession(config, { redirectTo: '/login' }), (_req, res) => {
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
  res.locals['session'] = await getSession(req, res, config)
  next()
}

app.post('/login', async (req, res) => void (await signIn(req, res, config, 'github')))
app.post('/logout', async (req, res) => void (await signOut(req, res, config)))
