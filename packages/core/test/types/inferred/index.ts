// Compiled by `npm run check`: the session has the type that the application's own callback returns.
import { type AuthInstance, createAuth } from '@siteauth/core'
import Credentials from '@siteauth/core/providers/credentials'
import GitHub from '@siteauth/core/providers/github'
import Google from '@siteauth/core/providers/google'
import type { Session } from '@siteauth/core/types'

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
