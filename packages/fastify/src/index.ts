import type { Session } from '@siteauth/core/types'

declare module 'fastify' {
  interface FastifyRequest {
    /** The session, in routes behind `auth.requireSession()`. Throws in others. */
    readonly session: Session
  }
}

export { customFetch, defineConfig } from '@siteauth/core'
export {
  AccessTokenError,
  AuthError,
  CredentialsSignin,
  PasswordRefused,
  TooManyAttempts,
} from '@siteauth/core/errors'
export type { AuthorizationParams, SignInOptions } from '@siteauth/core/integration'
export type { Session, SessionOf, User } from '@siteauth/core/types'
export type { FastifyAuth, FastifyAuthConfig } from './lib/fastify-auth.ts'
export { SiteAuth, SiteAuth as default } from './lib/site-auth.ts'
