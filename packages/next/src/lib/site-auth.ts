import type { JWT } from '@siteauth/core/jwt'
import type { SeenSession, Session } from '@siteauth/core/types'
import { createAuthFunction } from './auth.ts'
import type { SignOut } from './calls/server-calls.ts'
import type { SignIn } from './calls/sign-in.ts'
import { type Configured, type Settings, settingsOf } from './config/settings.ts'
import type { LateParts } from './late-parts.ts'
import { load } from './load.ts'
import { createSessionReader } from './read/session-reader.ts'
import type { SiteAuthResult } from './result.ts'

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
): SiteAuthResult<SeenSession<Sess, Exposed, Token>> {
  type Seen = SeenSession<Sess, Exposed, Token>
  const settings = settingsOf(config)
  const reader = createSessionReader()

  const endpoint = call('respond')
  return {
    handlers: { GET: endpoint, POST: endpoint },
    auth: createAuthFunction<Seen>(settings, reader),
    // With `redirect: false` they resolve with the URL; else the redirect has ended the action by then.
    signIn: Object.assign(call('signIn') as SignIn, { attempt: call('attemptSignIn') }),
    signOut: call('signOut') as SignOut,
    // What the application's own session callback returned.
    unstable_update: call('update') as SiteAuthResult<Seen>['unstable_update'],
    rotate: call('rotate') as SiteAuthResult<Seen>['rotate'],
    endUser: call('endUser'),
    listProviders: call('listProviders'),
    listSessions: call('listSessions'),
    endSession: call('endSession'),
    endOtherSessions: call('endOtherSessions'),
    getAccessToken: call('getAccessToken'),
    providerFetch: call('providerFetch'),
    listAccounts: call('listAccounts'),
    unlinkAccount: call('unlinkAccount'),
    passwords: {
      ask: call('askForPassword'),
      choose: call('choosePassword'),
      change: call('changePassword'),
      remove: call('removePassword'),
    },
  }

  /** A server function, which is loaded when somebody calls one. */
  function call<Name extends keyof Calls>(name: Name): WithoutSettings<Calls[Name]> {
    const run = async (...given: readonly unknown[]) => {
      const called = (await load('calls'))[name] as AnyCall // and given what its type says
      return called(settings, ...given)
    }
    return run as WithoutSettings<Calls[Name]>
  }
}

type Calls = LateParts['calls']
type AnyCall = (settings: Settings, ...given: readonly unknown[]) => unknown
type WithoutSettings<Call> = Call extends (
  settings: Settings,
  ...given: infer Given
) => infer Answer
  ? (...given: Given) => Answer
  : never
