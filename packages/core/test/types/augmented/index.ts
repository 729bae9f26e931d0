// Compiled by `npm run check`: an application that adds its own fields by module augmentation.
import { type AuthConfig, createAuth } from '@siteauth/core'
import type { JWT } from '@siteauth/core/jwt'
import type { Session, User } from '@siteauth/core/types'

declare module '@siteauth/core/types' {
  interface User {
    role?: string
  }
  interface Session {
    tenant: string
  }
}

declare module '@siteauth/core/jwt' {
  interface JWT {
    tenant: string
  }
}

export const config: AuthConfig = {
  providers: [],
  callbacks: {
    jwt: ({ token, user }) => ({ ...token, tenant: user.role ?? 'none' }),
    session: ({ session, token }) => ({ ...session, tenant: token.tenant.toUpperCase() }),
  },
}

export const session: Promise<Session | null> = createAuth(config).getSession({ headers: {} })
export const token: JWT = { tenant: 'acme' }
export const user: User = { role: 'editor' }
// @ts-expect-error the field that was added is not optional
export const incomplete: JWT = {}
