import type { JWT } from '@siteauth/core/jwt'
import type { Session } from '@siteauth/core/types'
import type { NextRequest } from 'next/server.js'
import { createAuthFunction } from './auth.ts'
import type { SiteAuthResult } from './result.ts'
import { createSessionReader } from './session-reader.ts'
import { type Configured, settingsOf } from './settings.ts'
import { createSignIn } from './sign-in.ts'
import { createSignOut } from './sign-out.ts'

// What signs people in and out is loaded when it is used: most requests only ask who they are from,
// and a proxy has no need of more.
const endpoints = () => import('./endpoints.ts')
const ownCalls = () => import('./own-call.ts')

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
export function SiteAuth<Token = JWT, Sess = Session>(
  config: Configured<Token, Sess>,
): SiteAuthResult<Sess> {
  const settings = settingsOf(config)
  const reader = createSessionReader()

  const endpoint = async (request: NextRequest) => {
    const { respond } = await endpoints()
    return respond(await settings.of(request, request), request)
  }

  return {
    handlers: { GET: endpoint, POST: endpoint },
    auth: createAuthFunction<Sess>(settings, reader),
    signIn: createSignIn(settings),
    signOut: createSignOut(settings),
    async unstable_update(changes) {
      const { ownCall, ownRequest } = await ownCalls()
      const answer = await ownCall(await ownRequest(settings), 'session', { data: changes })
      if (answer.kind !== 'json') throw new TypeError('POST session must answer a session')
      return answer.body as Sess | null // what the application's own session callback returned
    },
  }
}
