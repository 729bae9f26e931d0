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
import { createFrameworkAdapter } from './framework-adapter.ts'
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

  const framework = createFrameworkAdapter()
  const source = sourceOf(config)
  const integration = createIntegration(framework, source.config)

  async function requireIn(
    event: RequestEvent,
    options?: RequireSessionOptions<Seen>,
  ): Promise<Seen> {
    if (building) throw new Error(prerendered(event))
    const outermost = framework.outermost(event)
    const { session, denial } = await integration.guard(outermost, options)
    return denial ? deny(outermost, denial.response) : session
  }

  function requireInFront(options: RequiredExcept<Seen>): Handle {
    const guard = integration.createGuard(options)
    return async ({ event, resolve }) => {
      // What is prerendered is shown to everybody, and no hook runs for it later.
      if (building) return resolve(event)
      const { denial } = await guard(framework.outermost(event))
      return denial ? deny(event, denial.response) : resolve(event)
    }
  }

  function deny(event: RequestEvent, response: Response): never {
    const location = response.headers.get('location')
    try {
      if (location) redirect(303, location)
      error(response.status, REASONS[response.status] ?? 'Refused')
    } catch (thrown) {
      framework.deny(event, { response, thrown })
      throw thrown
    }
  }

  async function call(name: CallName, args: readonly unknown[]): Promise<unknown> {
    if (isUserCall(name)) return integration.call(name, args)
    const [event, ...rest] = args as [RequestEvent, ...unknown[]] // as the list declares
    return integration.call(name, [framework.outermost(event), ...rest])
  }

  const calls = deriveCalls<AuthCalls<[event: RequestEvent], never, Seen>>(call)

  return {
    ...calls,
    async handle({ event, resolve }) {
      if (building) {
        // Whatever is built now is shown to everybody.
        Object.assign(event.locals, { auth: async () => null })
        // There is nothing to keep of a page that another links to.
        return integration.handles(event) ? new Response(null, { status: 204 }) : resolve(event)
      }
      return framework.catchErrors(event, async () => {
        await source.learn(event)
        Object.assign(event.locals, { auth: () => integration.calls.getSession(event) })
        if (integration.handles(framework.asSent(event))) {
          return integration.handle(event, framework.requestWithBody(event))
        }
        return framework.respondAfter(event, () => resolve(event))
      })
    },
    async getSession(event) {
      return building ? null : integration.calls.getSession(framework.outermost(event))
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
