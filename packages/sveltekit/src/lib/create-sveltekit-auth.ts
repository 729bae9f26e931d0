import {
  type AuthCalls,
  createIntegration,
  deriveCalls,
  type RequireSessionOptions,
} from '@siteauth/core/integration'
import { type CallName, callOrMiddleware, isUserCall } from '@siteauth/core/internal'
import type { JWT } from '@siteauth/core/jwt'
import type { ExposedSession, Session } from '@siteauth/core/types'
import { error, type Handle, type RequestEvent, redirect } from '@sveltejs/kit'
import { building } from '$app/environment'
import { formActions } from './form-actions.ts'
import { createHost } from './kit-host.ts'
import { sourceOf } from './source-of.ts'
import type { RequiredExcept, SvelteKitAuth, SvelteKitAuthConfig } from './sveltekit-auth.ts'

/**
 * Sets up the library for one application.
 *
 * @example
 * ```ts
 * // src/auth.ts
 * import GitHub from '@siteauth/core/providers/github'
 * import { SiteAuth } from '@siteauth/sveltekit'
 *
 * export const { handle, signIn, signOut, requireSession } = SiteAuth({ providers: [GitHub] })
 * ```
 */
export function SiteAuth<Token = JWT, Sess = Session, Exposed extends string = never>(
  config: SvelteKitAuthConfig<Token, Sess, Exposed>,
): SvelteKitAuth<ExposedSession<Sess, Exposed, Token>> {
  type Seen = ExposedSession<Sess, Exposed, Token>

  const host = createHost()
  const source = sourceOf(config)
  const bound = createIntegration(host, source.config)

  async function requireIn(
    event: RequestEvent,
    options?: RequireSessionOptions<Seen>,
  ): Promise<Seen> {
    if (building) throw new Error(prerendered(event))
    const outermost = host.outermost(event)
    const { session, denial } = await bound.guard(outermost, options)
    return denial ? deny(outermost, denial.answer) : session
  }

  function requireInFront(options: RequiredExcept<Seen>): Handle {
    const guard = bound.createGuard(options)
    return async ({ event, resolve }) => {
      // What is prerendered is shown to everybody, and no hook runs for it later.
      if (building) return resolve(event)
      const { denial } = await guard(host.outermost(event))
      return denial ? deny(event, denial.answer) : resolve(event)
    }
  }

  function deny(event: RequestEvent, answer: Response): never {
    const location = answer.headers.get('location')
    try {
      if (location) redirect(303, location)
      error(answer.status, REASONS[answer.status] ?? 'Refused')
    } catch (thrown) {
      host.refuse(event, { answer, thrown })
      throw thrown
    }
  }

  async function call(name: CallName, args: readonly unknown[]): Promise<unknown> {
    if (isUserCall(name)) return bound.call(name, args)
    const [event, ...rest] = args as [RequestEvent, ...unknown[]] // as the list declares
    return bound.call(name, [host.outermost(event), ...rest])
  }

  const calls = deriveCalls<AuthCalls<[event: RequestEvent], never, Seen>>(call)

  return {
    ...calls,
    async handle({ event, resolve }) {
      if (building) {
        // Whatever is built now is shown to everybody.
        Object.assign(event.locals, { auth: async () => null })
        // There is nothing to keep of a page that another links to.
        return bound.handles(event) ? new Response(null, { status: 204 }) : resolve(event)
      }
      return host.answerErrors(event, async () => {
        await source.learn(event)
        Object.assign(event.locals, { auth: () => bound.calls.getSession(event) })
        if (bound.handles(host.asSent(event))) {
          return bound.handle(event, host.requestWithBody(event))
        }
        return host.answerAfter(event, () => resolve(event))
      })
    },
    async getSession(event) {
      return building ? null : bound.calls.getSession(host.outermost(event))
    },
    requireSession: callOrMiddleware(requireIn, requireInFront),
    ...formActions(calls),
  }
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  503: 'Service Unavailable',
}

function prerendered({ url }: RequestEvent): string {
  return (
    `${url.pathname} is prerendered, so everybody would see it, and requireSession cannot keep anybody out. ` +
    'Set `export const prerender = false` for that page.'
  )
}
