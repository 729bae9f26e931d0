// Compiled by `npm run check`: an application on Express 5, with sessions of its own making.
import type { IncomingMessage } from 'node:http'
import {
  type Account,
  AuthError,
  type AuthInstance,
  CredentialsSignin,
  customFetch,
  type DefaultSession,
  defineConfig,
  ExpressAuth,
  type ExpressAuthConfig,
  type GetSessionResult,
  getSession,
  type Profile,
  ServerAuth,
  type ServerAuthConfig,
  type Session,
  type SessionLocals,
  type SessionOf,
  SiteAuth,
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
const auth = SiteAuth(config)
expectType<typeof auth>().toBe<AuthInstance<Session>>(true)
app.use('/auth', auth.handler)
app.use(auth.sessionMiddleware)
app.use('/admin', express.Router().use(auth.requireSession({ redirectTo: '/login' })))

// What the middleware puts there has its type by itself.
app.get('/home', auth.sessionMiddleware, (_req, res) => {
  expectType<typeof res.locals.session>().toBe<Session | null>(true)
})
app.get('/account', auth.requireSession(), (_req, res) => {
  expectType<typeof res.locals.session>().toBe<Session>(true)
})
// A guard that exempts paths promises no session there.
app.get('/front', auth.requireSession({ except: ['/login'] }), (_req, res) => {
  expectType<typeof res.locals.session>().toBe<Session | undefined>(true)
})

// Elsewhere one says so.
app.get('/page', (_req, res: Response<string, SessionLocals>) => {
  res.send(res.locals.session?.user?.name ?? 'stranger')
})

export const result = (req: Request): GetSessionResult => getSession(req, config)

app.post('/login', async req => {
  const url = await auth.signIn(req, 'credentials', { ...req.body, redirect: false })
  expectType<typeof url>().toBe<string>(true)
  await auth.signIn(req, 'github', { redirectTo: '/' }, { login_hint: 'ann' })
  await auth.signIn(req, 'github', new FormData(), [['prompt', 'login']])
  await auth.signIn(req)
  await auth.signOut(req, { redirectTo: '/' })
})

// A request of Node's own has a session, too, such as one that asks for a WebSocket.
export async function nameOf(upgrade: IncomingMessage): Promise<string | null | undefined> {
  return (await auth.getSession(upgrade))?.user?.name
}

// The session is what the application's own callback returns.
const own = {
  providers: [],
  callbacks: {
    session: () => ({ expires: '', role: 'editor' as const }),
  },
} satisfies ExpressAuthConfig

export async function role(req: Request): Promise<'editor' | undefined> {
  const found = await getSession(req, own)
  return found?.role
}
app.get('/own', SiteAuth(own).requireSession(), (_req, res) => {
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
const authApart = SiteAuth(apart)
app.get('/plan', authApart.requireSession(), async (req, res) => {
  expectType<typeof res.locals.session.plan>().toBe<'free'>(true)
  expectType<typeof res.locals.session.user.id>().toBe<string>(true)
  expectType<typeof res.locals.session>().toBe<SessionOf<typeof apart>>(true)
  const found = await getSession(req, apart)
  expectType<typeof found>().toBe<SessionOf<typeof apart> | null>(true)
  const same = await authApart.getSession(req)
  expectType<typeof same>().toBe<SessionOf<typeof apart> | null>(true)
  const rotated = await authApart.sessions.rotate(req)
  expectType<typeof rotated>().toBe<SessionOf<typeof apart> | null>(true)
  authApart.requireSession({ allow: ({ plan }) => plan === 'free' })
  await authApart.signOut(req)
})

export const values: readonly unknown[] = [AuthError, CredentialsSignin, customFetch]
export type Types = [Account, Adapter, DefaultSession, Profile, User]
