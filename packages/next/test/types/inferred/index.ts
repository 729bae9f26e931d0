// Compiled by `npm run check`: what `auth` answers is what the application's own callbacks return.
import SiteAuth, {
  type Account,
  type Auth,
  AuthError,
  CredentialsSignin,
  customFetch,
  type DefaultSession,
  defineConfig,
  NextAuth,
  type NextAuthConfig,
  type NextAuthRequest,
  type NextAuthResult,
  SiteAuth as named,
  type Profile,
  type Session,
  type SessionOf,
  type SiteAuthConfig,
  type User,
} from '@siteauth/next'
import type { Adapter } from '@siteauth/next/adapters'
import { decode, encode, getToken, type JWT } from '@siteauth/next/jwt'
import type { Provider } from '@siteauth/next/providers'
import Credentials from '@siteauth/next/providers/credentials'
import GitHub from '@siteauth/next/providers/github'
import { SessionProvider, useSession } from '@siteauth/next/react'
import type { GetServerSideProps, NextApiHandler } from 'next'
import { type NextFetchEvent, type NextMiddleware, NextResponse } from 'next/server'

type Equal<Left, Right> =
  (<T>() => T extends Left ? 1 : 2) extends <T>() => T extends Right ? 1 : 2 ? true : false

function expectType<T>(): { toBe<U>(same: Equal<T, U>): void } {
  return { toBe: () => undefined }
}

// Exported as applications do, which takes names for everything in it.
export const {
  handlers,
  auth,
  signIn,
  signOut,
  unstable_update,
  requireSession,
  listProviders,
  sessions,
  accounts,
  passwords,
  users,
} = SiteAuth({
  providers: [GitHub, Credentials({ credentials: {}, authorize: () => null })],
  callbacks: {
    jwt: async ({ token }) => ({ ...token, role: 'editor' as const }),
    session: async ({ session, token }) => ({
      expires: session.expires,
      user: { name: session.user.name, role: token.role },
    }),
    authorized: ({ request, auth }) => {
      if (request.nextUrl.pathname === '/old') return NextResponse.redirect(request.nextUrl)
      return auth?.user.role === 'editor'
    },
  },
})
type Found = NonNullable<Awaited<ReturnType<typeof unstable_update>>>
expectType<Found['user']['role']>().toBe<'editor'>(true)

export async function page(): Promise<'editor' | undefined> {
  return (await auth())?.user.role
}

export async function guarded(): Promise<'editor'> {
  const session = await requireSession({ allow: ({ user }) => user.role === 'editor' })
  expectType<typeof session>().toBe<Found>(true)
  // @ts-expect-error only the middleware forms of other frameworks have this option
  await requireSession({ except: ['/login'] })
  return session.user.role
}

export async function calls(form: FormData): Promise<void> {
  const rotated = await sessions.rotate()
  expectType<typeof rotated>().toBe<Found | null>(true)
  const url = await passwords.change({
    currentPassword: form.get('currentPassword'),
    newPassword: 'x',
    redirect: false,
  })
  expectType<typeof url>().toBe<string>(true)
  await passwords.choose(form)
  const { accessToken } = await accounts.getAccessToken('github', { minValiditySeconds: 60 })
  const [first] = await sessions.list()
  if (first) await sessions.end(first.handle)
  await users.endSessions(accessToken)
  const ids = (await listProviders()).map(({ id }) => id)
  expectType<typeof ids>().toBe<string[]>(true)
}

export const GET = auth(async (request, { params }: { params: Promise<{ id: string }> }) => {
  expectType<(typeof request)['auth']>().toBe<Found | null>(true)
  return Response.json((await params).id)
})
export const POST = auth(async (_request, { params }) => Response.json((await params)['id']))
export const proxy: NextMiddleware = auth(request => {
  if (!request.auth) return NextResponse.redirect(new URL('/login', request.url))
})
export const withEvent: NextMiddleware = auth((_request, event: NextFetchEvent) => {
  event.waitUntil(Promise.resolve())
})
export const passedOn: readonly NextMiddleware[] = [auth]
export const api: NextApiHandler = async (req, res) => {
  res.json((await auth(req, res))?.user.role)
}
export const getServerSideProps: GetServerSideProps = async context => {
  const session = await auth(context)
  return { props: { role: session?.user.role ?? null } }
}

export async function actions(form: FormData): Promise<void> {
  const url = await signIn('credentials', { redirect: false, name: 'Ann' })
  expectType<typeof url>().toBe<string>(true)
  const result = await signIn.attempt('credentials', form)
  if (result.ok) expectType<typeof result.url>().toBe<string>(true)
  else expectType<typeof result.error>().toBe<string>(true)
  const left = await signOut({ redirect: false })
  expectType<typeof left>().toBe<string>(true)
  await unstable_update({ user: { name: 'Ann' } })
  const never = signIn('github', form, [['prompt', 'login']])
  expectType<typeof never>().toBe<Promise<never>>(true)
}

// The same from a function, asynchronous or not.
export const lazy = SiteAuth(async request => ({
  providers: [],
  debug: request?.nextUrl.searchParams.has('debug') ?? false,
  callbacks: { session: () => ({ expires: '', tenant: 'acme' as const }) },
}))
expectType<Awaited<ReturnType<typeof lazy.unstable_update>>>().toBe<{
  expires: string
  tenant: 'acme'
} | null>(true)

// A configuration of its own, as in `auth.config.ts`: types follow it to the server and to the browser.
export const apart = defineConfig({
  providers: [GitHub],
  session: { expose: ['id'] },
  callbacks: {
    jwt: ({ token }) => ({ ...token, plan: 'free' as const }),
    session: ({ session, token }) => ({ ...session, plan: token.plan }),
    authorized: ({ auth }) => auth?.user.id !== undefined && auth.plan === 'free',
  },
})
export const fromApart = SiteAuth(apart)
type Apart = SessionOf<typeof apart>
expectType<Apart['plan']>().toBe<'free'>(true)
expectType<Apart['user']['id']>().toBe<string>(true)
expectType<'sessionToken' extends keyof Apart ? true : false>().toBe<false>(true)
expectType<SessionOf<typeof fromApart.auth>>().toBe<Apart>(true)
export function usePlan(): 'free' | undefined {
  return useSession<SessionOf<typeof apart>>().data?.plan
}

// Names alone are enough.
export const { auth: exposing } = SiteAuth({
  providers: [],
  session: { expose: ['id', 'emailVerified'] },
  callbacks: { authorized: ({ auth }) => Boolean(auth?.user.id) },
})
expectType<SessionOf<typeof exposing>['user']['id']>().toBe<string>(true)
export const lazyNames = SiteAuth(async () => ({ providers: [], session: { expose: ['id'] } }))
expectType<SessionOf<typeof lazyNames.auth>['user']['id']>().toBe<string>(true)

// Without callbacks it is the session that applications can add to.
export const plain: NextAuthResult = NextAuth({ providers: [] })
export const asWell: Auth<Session> = named({ providers: [] }).auth
export const config: NextAuthConfig = { providers: [] }
export const same: readonly SiteAuthConfig[] = [config]
// @ts-expect-error there is no raw here
export const withRaw: NextAuthConfig = { providers: [], raw: undefined }

export const values: readonly unknown[] = [
  ...[AuthError, CredentialsSignin, customFetch, decode, encode, getToken],
  ...[SessionProvider, useSession],
]
export type Types = [
  Account,
  Adapter,
  DefaultSession,
  JWT,
  NextAuthRequest,
  Profile,
  Provider,
  User,
]
