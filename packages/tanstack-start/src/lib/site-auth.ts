import { bind, signInWish } from '@siteauth/core/integration'
import type { JWT } from '@siteauth/core/jwt'
import type { SeenSession, Session } from '@siteauth/core/types'
import { asThrown } from './server-function.ts'
import type { StartAuth, StartAuthConfig } from './start-auth.ts'
import { createHost } from './start-host.ts'

/**
 * Sets up the library for one application.
 *
 * @example
 * ```ts
 * import GitHub from '@siteauth/core/providers/github'
 * import { SiteAuth } from '@siteauth/tanstack-start'
 *
 * export const auth = SiteAuth({ providers: [GitHub] })
 *
 * // src/start.ts has createMiddleware().server(auth.middleware) in its requestMiddleware
 * ```
 */
export function SiteAuth<Token = JWT, Sess = Session, Exposed extends string = never>(
  config: StartAuthConfig<Token, Sess, Exposed>,
): StartAuth<SeenSession<Sess, Exposed, Token>> {
  const host = createHost()
  const bound = bind(host, config)

  return {
    ...bound.calls,
    getSession: bound.session,
    async middleware(args) {
      const { request } = args
      host.expect(args)
      return bound.answersItself(request) ? bound.handle(request, request) : host.finish(args)
    },
    requireSession(options) {
      const guard = bound.guardInFront(options)
      return async ({ request, next }) => (await guard(request)).refusal?.answer ?? next()
    },
    async demandSession(request, options) {
      const { session, refusal } = await bound.guard(request, options)
      if (refusal) throw host.isFunctionCall(request) ? asThrown(refusal.answer) : refusal.answer
      return session
    },
    async signIn(request, provider, options, authorizationParams) {
      const wish = signInWish(provider, options, authorizationParams)
      return bound.redirect(request, await bound.signIn(request, wish))
    },
    async signOut(request, options) {
      return bound.redirect(request, await bound.signOut(request, options))
    },
  }
}
