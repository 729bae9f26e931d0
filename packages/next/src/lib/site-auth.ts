import type { JWT } from '@siteauth/core/jwt'
import type { SeenSession, Session } from '@siteauth/core/types'
import type { NextRequest } from 'next/server.js'
import { createAuthFunction } from './auth.ts'
import type { SignOut } from './calls/server-calls.ts'
import type { SignIn, SignInArguments } from './calls/sign-in.ts'
import { type Configured, settingsOf } from './config/settings.ts'
import { createSessionReader } from './read/session-reader.ts'
import type { SiteAuthResult } from './result.ts'

/**
 * Sets the library up for one application, usually in `auth.ts` at its root. Takes the configuration,
 * or a function that answers one for each request; the request is undefined where Next shows none.
 *
 * @example
 * ```ts
 * import SiteAuth from '@siteauth/next'
 * import GitHub from '@siteauth/next/providers/github'
 *
 * export const { handlers, auth, signIn, signOut } = SiteAuth({
 *   providers: [GitHub],
 *   callbacks: { authorized: ({ auth }) => auth !== null },
 * })
 * ```
 */
export function SiteAuth<Token = JWT, Sess = Session, Exposed extends string = never>(
  config: Configured<Token, Sess, Exposed>,
): SiteAuthResult<SeenSession<Sess, Exposed, Token>> {
  type Seen = SeenSession<Sess, Exposed, Token>
  const settings = settingsOf(config)
  const reader = createSessionReader()

  const endpoint = async (request: NextRequest) => (await calls()).respond(settings, request)
  const signIn = async (...given: SignInArguments) => (await calls()).signIn(settings, ...given)
  return {
    handlers: { GET: endpoint, POST: endpoint },
    auth: createAuthFunction<Seen>(settings, reader),
    // With `redirect: false` they resolve with the URL; else the redirect has ended the action by then.
    signIn: Object.assign(signIn as SignIn, {
      attempt: async (...given: SignInArguments) =>
        (await calls()).attemptSignIn(settings, ...given),
    }),
    signOut: (async options => (await calls()).signOut(settings, options)) as SignOut,
    async unstable_update(changes) {
      const session = await (await calls()).update(settings, changes)
      return session as Seen | null // what the application's own session callback returned
    },
    endUser: async userId => (await calls()).endUser(settings, userId),
  }
}

const calls = () => import('./calls/server-calls.ts')
