import type { JWT } from '@siteauth/core/jwt'
import type { SeenSession, Session } from '@siteauth/core/types'
import type { NextRequest } from 'next/server.js'
import { createAuthFunction } from './auth.ts'
import { serverCalls } from './load-later.ts'
import type { SiteAuthResult } from './result.ts'
import { createSessionReader } from './session-reader.ts'
import { type Configured, settingsOf } from './settings.ts'
import { createSignIn } from './sign-in.ts'
import { createSignOut } from './sign-out.ts'

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

  const endpoint = async (request: NextRequest) => {
    const setup = await settings.of(request, request)
    const resolution = await setup.complete()
    return serverCalls(({ respond }) => respond(resolution, request))
  }

  return {
    handlers: { GET: endpoint, POST: endpoint },
    auth: createAuthFunction<Seen>(settings, reader),
    signIn: createSignIn(settings),
    signOut: createSignOut(settings),
    async unstable_update(changes) {
      const session = await serverCalls(({ updateSession }) => updateSession(settings, changes))
      return session as Seen | null // what the application's own session callback returned
    },
    async rotate() {
      const session = await serverCalls(({ rotateSession }) => rotateSession(settings))
      return session as Seen | null // as above
    },
    endUser: async userId => serverCalls(({ endUser }) => endUser(settings, userId)),
  }
}
