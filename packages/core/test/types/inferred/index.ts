// Compiled by `npm run check`: the session has the type that the application's own callback returns.
import { type AuthConfig, type AuthInstance, createAuth, defineConfig } from '@siteauth/core'
import Credentials from '@siteauth/core/providers/credentials'
import GitHub from '@siteauth/core/providers/github'
import Google from '@siteauth/core/providers/google'
import type { Session, SessionOf, User } from '@siteauth/core/types'

type Equal<Left, Right> =
  (<T>() => T extends Left ? 1 : 2) extends <T>() => T extends Right ? 1 : 2 ? true : false

function expectType<T>(): { toBe<U>(same: Equal<T, U>): void } {
  return { toBe: () => undefined }
}

export const plain: AuthInstance<Session> = createAuth({ providers: [GitHub, Google({})] })
expectType<Awaited<ReturnType<typeof plain.getSession>>>().toBe<Session | null>(true)

export const withRole = createAuth({
  providers: [],
  callbacks: {
    jwt: async ({ token }) => ({ ...token, role: 'editor' as const }),
    session: async ({ session, token }) => ({
      expires: session.expires,
      user: { name: session.user.name, role: token.role },
    }),
  },
})
type WithRole = NonNullable<Awaited<ReturnType<typeof withRole.getSession>>>
expectType<WithRole['user']['role']>().toBe<'editor'>(true)

Credentials({
  credentials: { username: { label: 'Name' }, password: { type: 'password' } },
  authorize({ username, password }) {
    expectType<typeof username>().toBe<unknown>(true)
    expectType<typeof password>().toBe<unknown>(true)
    return typeof username === 'string' ? { id: username } : null
  },
})

Credentials({
  credentials: { username: {} },
  // @ts-expect-error no such field
  authorize: ({ pasword }) => (pasword ? { id: '1' } : null),
})

// The session may be returned as it came, or with its id set: what is seen is what can be known of it.
export const asItCame = createAuth({
  providers: [],
  callbacks: {
    session({ session, user }) {
      session.user.id = user.id
      return session
    },
  },
})
expectType<SessionOf<typeof asItCame>>().toBe<Session>(true)

// Copies have what they have when the program runs: no id, no token, and an end that is a text.
export const copied = createAuth({
  providers: [],
  callbacks: { session: ({ session }) => ({ ...session, user: { ...session.user } }) },
})
type Copied = SessionOf<typeof copied>
expectType<'sessionToken' extends keyof Copied ? true : false>().toBe<false>(true)
expectType<'id' extends keyof Copied['user'] ? true : false>().toBe<false>(true)
expectType<Copied['expires']>().toBe<string>(true)
expectType<Copied['user']['email']>().toBe<string>(true)

// The row of the user is returned without what nobody named.
export const wholeRow = createAuth({
  providers: [],
  callbacks: { session: ({ session, user }) => ({ ...session, user, plan: 'free' as const }) },
})
expectType<SessionOf<typeof wholeRow>['user']>().toBe<User>(true)
expectType<SessionOf<typeof wholeRow>['plan']>().toBe<'free'>(true)

// What is exposed has its type from the user, or from the token.
export const exposing = createAuth({
  providers: [],
  session: { expose: ['id', 'emailVerified', 'plan', 'nothing'] },
  callbacks: { jwt: ({ token }) => ({ ...token, plan: 'free' as const }) },
})
type Exposing = SessionOf<typeof exposing>['user']
expectType<Exposing['id']>().toBe<string>(true)
expectType<Exposing['emailVerified']>().toBe<Date | null | undefined>(true)
expectType<Exposing['plan']>().toBe<'free' | undefined>(true)
expectType<Exposing['nothing']>().toBe<unknown>(true)

// A configuration that is written apart keeps all of that.
export const config = defineConfig({
  providers: [GitHub],
  session: { expose: ['id'] },
  callbacks: {
    jwt({ token, user }) {
      if (user) token['since'] = user.id
      return token
    },
    session: ({ session }) => ({ ...session, user: { ...session.user, plan: 'free' as const } }),
  },
})
type Configured = SessionOf<typeof config>
expectType<Configured['user']['id']>().toBe<string>(true)
expectType<Configured['user']['plan']>().toBe<'free'>(true)
export const made: Promise<Configured | null> = createAuth(config).getSession({ headers: {} })
export const stillOne: AuthConfig = { ...config, callbacks: {} }

// As before, whoever annotates gets the session that applications can add to.
const annotated: AuthConfig = {
  providers: [],
  session: { expose: ['role'] },
  callbacks: { session: ({ session, user }) => ({ ...session, user }) },
}
expectType<SessionOf<typeof annotated>>().toBe<Session>(true)
export const plainToo: AuthInstance<Session> = createAuth(annotated)

// Somebody who has given up on types gets none.
export const loose = createAuth({
  providers: [],
  callbacks: { session: ({ session }) => JSON.parse(JSON.stringify(session)) },
})
export const anything: number = {} as SessionOf<typeof loose>
