// Compiled by `npm run check`: an application that adds its own fields, all of them in one place.
import SiteAuth, { type JWT, type Session, type User } from '@siteauth/next'
import { useSession } from '@siteauth/next/react'

declare module '@siteauth/next' {
  interface Session {
    tenant: string
  }
  interface User {
    role?: string
  }
  interface JWT {
    tenant: string
  }
}

export const { handlers, auth } = SiteAuth({
  providers: [],
  callbacks: {
    jwt({ token, user }) {
      if (user) token.tenant = user.role ?? 'none'
      return token
    },
    session: ({ session, token }) => ({ ...session, tenant: token.tenant.toUpperCase() }),
    authorized: ({ auth }) => auth?.tenant === 'ACME',
  },
})

// The column that was added is known where it is exposed, and to the user that the callbacks get.
export const { auth: exposing } = SiteAuth({
  providers: [],
  session: { expose: ['role'] },
  callbacks: {
    jwt({ token, user }) {
      if (user) token.role = user.role
      return token
    },
    session: ({ session, user }) => ({ ...session, isEditor: user.role === 'editor', tenant: '' }),
  },
})
export async function role(): Promise<string | undefined> {
  return (await exposing())?.user.role
}

export async function tenant(): Promise<string | undefined> {
  return (await auth())?.tenant
}

export function useTenant(): string | undefined {
  return useSession().data?.tenant
}

export const session: Session = { tenant: 'acme', expires: '' }
export const user: User = { role: 'editor' }
export const token: JWT = { tenant: 'acme' }
// @ts-expect-error the field that was added is not optional
export const incomplete: JWT = {}
