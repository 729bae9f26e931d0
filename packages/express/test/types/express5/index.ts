// Compiled by `npm run check`: an application on Express 5, with sessions of its own making.
import {
  type Account,
  AuthError,
  CredentialsSignin,
  customFetch,
  type DefaultSession,
  defineConfig,
  ExpressAuth,
  type ExpressAuthConfig,
  type GetSessionResult,
  getSession,
  type Profile,
  requireSession,
  ServerAuth,
  type ServerAuthConfig,
  type Session,
  type SessionLocals,
  type SessionOf,
  session,
  signIn,
  signOut,
  type User,
} from '@siteauth/express'
import type { Adapter } from '@siteauth/express/adapters'
import express, { type Request, type Response } from 'express'

type Equal<Left, Right> =
  (<T>() => T extends Left ? 1 : 2) extends <T>() => T extends Right ? 1 : 2 ? true : false

function expectType<T>(): { toBe<U>(same: Equal<T, U>): void } {
  return { toBe: () => undefined }
}

const config: ExpressAuthConfig = { providers: [] }
export const same: ServerAuthConfig = config
// @ts-expect-error there is no raw here
export const withRaw: ExpressAuthConfig = { providers: [], raw: undefined }

const app = express()
app.use('/auth', ServerAuth(config))
app.use('/auth/*splat', ExpressAuth(config))
app.use(session(config))
app.use('/admin', express.Router().use(requireSession(config, { redirectTo: '/login' })))

// What the middleware puts there has its type by itself.
app.get('/home', session(config), (_req, res) => {
  expectType<typeof res.locals.session>().toBe<Session | null>(true)
})
app.get('/account', requireSession(config), (_req, res) => {
  expectType<typeof res.locals.session>().toBe<Session>(true)
})

// Elsewhere one says so.
app.get('/page', (_req, res: Response<string, SessionLocals>) => {
  res.send(res.locals.session?.user?.name ?? 'stranger')
})

export const result = (req: Request): GetSessionResult => getSession(req, config)

app.post('/login', async (req, res) => {
  const url = await signIn(req, res, config, 'credentials', { ...req.body, redirect: false })
  expectType<typeof url>().toBe<string>(true)
  await signIn(req, res, config, 'github', { redirectTo: '/' }, { login_hint: 'ann' })
  await signIn(req, res, config, 'github', new FormData(), [['prompt', 'login']])
  await signIn(req, res, config)
  await signOut(req, res, config, { redirectTo: '/' })
})

// The session is what the application's own callback returns.
const own = {
  providers: [],
  callbacks: {
    session: () => ({ expires: '', role: 'editor' as const }),
  },
} satisfies ExpressAuthConfig

export async function role(req: Request, res: Response): Promise<'editor' | undefined> {
  const found = await getSession(req, res, own)
  return found?.role
}
app.get('/own', requireSession(own), (_req, res) => {
  expectType<typeof res.locals.session.role>().toBe<'editor'>(true)
})

// A configuration that is defined apart keeps the types of its callbacks, and what it exposes.
export const apart = defineConfig({
  providers: [],
  session: { expose: ['id'] },
  callbacks: {
    jwt: ({ token }) => ({ ...token, plan: 'free' as const }),
    session: ({ session, token }) => ({ ...session, plan: token.plan }),
  },
})
app.use('/apart', ServerAuth(apart))
app.get('/plan', requireSession(apart), async (req, res) => {
  expectType<typeof res.locals.session.plan>().toBe<'free'>(true)
  expectType<typeof res.locals.session.user.id>().toBe<string>(true)
  expectType<typeof res.locals.session>().toBe<SessionOf<typeof apart>>(true)
  const found = await getSession(req, res, apart)
  expectType<typeof found>().toBe<SessionOf<typeof apart> | null>(true)
  await signOut(req, res, apart)
})

export const values: readonly unknown[] = [AuthError, CredentialsSignin, customFetch]
export type Types = [Account, Adapter, DefaultSession, Profile, User]
