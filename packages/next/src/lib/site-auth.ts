import { type AuthCalls, deriveCalls, type RequireSessionOptions } from '@siteauth/core/integration'
import type { CallName } from '@siteauth/core/internal'
import type { JWT } from '@siteauth/core/jwt'
import type { ExposedSession, Session } from '@siteauth/core/types'
import { createAuthFunction } from './auth.ts'
import type { NextCallName } from './calls/call-by-name.ts'
import type { SignIn, SignInArguments } from './calls/sign-in.ts'
import type { SignOut } from './calls/sign-out.ts'
import { type Configured, settingsOf } from './config/settings.ts'
import { load } from './load.ts'
import { createSessionReader } from './read/session-reader.ts'
import type { RouteHandler, SiteAuthResult } from './result.ts'

/**
 * Sets up the library for one application, usually in `auth.ts` at its root. Takes the
 * configuration, or a function that returns one for each request; the request is undefined if
 * Next provides none.
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
): SiteAuthResult<ExposedSession<Sess, Exposed, Token>> {
  type Seen = ExposedSession<Sess, Exposed, Token>
  const settings = settingsOf(config)
  const reader = createSessionReader()

  const run = async (name: CallName, args: readonly unknown[]) => {
    const { callByName } = await load('calls')
    return callByName(settings, name as NextCallName, args) // `getSession` is not handed out
  }
  const { getSession: _, signIn, signOut, update, ...common } = deriveCalls<Calls<Seen>>(run)
  const endpoint: RouteHandler = async request => (await load('calls')).respond(settings, request)
  return {
    ...common,
    handlers: { GET: endpoint, POST: endpoint },
    auth: createAuthFunction<Seen>(settings, reader),
    // With `redirect: false` they resolve with the URL; else the redirect has ended the action by then.
    signIn: Object.assign(signIn as SignIn, {
      attempt: async (...args: SignInArguments) =>
        (await load('calls')).attemptSignIn(settings, args),
    }),
    signOut: signOut as SignOut,
    unstable_update: update,
    async requireSession(options) {
      const { requireSession } = await load('pages')
      // What the application's own session callback returned.
      return (await requireSession(settings, reader, options as RequireSessionOptions)) as Seen
    },
  }
}

/** The calls on the server, as the list declares them. */
type Calls<Sess> = AuthCalls<[], string, Sess>
