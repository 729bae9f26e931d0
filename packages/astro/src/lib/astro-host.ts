import { getSecret } from 'astro:env/server'
import type { SentRequest } from '@siteauth/core/endpoints'
import {
  changeResponse,
  type Host,
  pendingChanges,
  senderOf,
  toResponse,
} from '@siteauth/core/integration'
import type { AstroContext } from './astro-context.ts'

/** Astro as the library sees it. */
export interface AstroHost extends Host<AstroContext, Response> {
  /** Says that the middleware has seen a request, and will see the answer to it. */
  expect(context: AstroContext): void
  /** Has the answer wait for something that was begun before it. */
  during<Result>(context: AstroContext, work: () => Promise<Result>): Promise<Result>
  /** Lets the rest of the application answer, and makes to the answer what changes have come up meanwhile. */
  answerAfter(context: AstroContext, next: () => Promise<Response>): Promise<Response>
}

/** What is known of a request while it lasts. */
interface Visit {
  /** What the answer waits for. */
  readonly work: Set<Promise<unknown>>
  /** Whether a middleware of ours waits for the answer. */
  isAwaited: boolean
  hasBegun: boolean
}

export function createHost(): AstroHost {
  const changes = pendingChanges<Visit>()
  // Requests are copied where they are rewritten, and locals are new for error pages.
  const visits = new WeakMap<object, Visit>()

  function visitOf({ locals, request }: AstroContext): Visit {
    const visit = visits.get(locals) ?? visits.get(request)
    if (!visit) throw new TypeError(NOT_MOUNTED)
    return visit
  }

  return {
    request(context) {
      visitOf(context)
      return requestOf(context)
    },
    env: () => VARIABLES,
    key: visitOf,
    hasBegun: context => visitOf(context).hasBegun,
    change: (context, change) => changes.add(visitOf(context), change),
    answer: (_context, answer) => toResponse(answer),
    expect({ locals, request }) {
      const visit = visits.get(locals) ??
        visits.get(request) ?? { work: new Set(), isAwaited: false, hasBegun: false }
      visits.set(locals, visit).set(request, visit)
    },
    async during(context, run) {
      const { work } = visitOf(context)
      const running = run()
      work.add(running)
      try {
        return await running
      } finally {
        work.delete(running)
      }
    },
    async answerAfter(context, next) {
      const visit = visitOf(context)
      // A page that is shown in place of another: its answer goes through here once more.
      if (visit.isAwaited) return next()
      visit.isAwaited = true
      try {
        const response = await next()
        // Components begin to render before Astro lets go of the response. Their sessions may be due for renewal.
        await Promise.allSettled(visit.work)
        visit.hasBegun = true
        const change = changes.take(visit)
        if (!change) return response
        // Astro's own cache speaks to caches last, after all middleware.
        if (context.cache?.enabled) context.cache.set(false)
        return changeResponse(response, change)
      } finally {
        // If this failed, changes are kept for the error page, which comes through here as well.
        visit.isAwaited = false
      }
    },
  }
}

/** Also those in `.env` count, and those of platforms that have none for the whole process. */
const VARIABLES = new Proxy<Record<string, string | undefined>>(
  {},
  { get: (_, name) => (typeof name === 'string' ? getSecret(name) : undefined) },
)

function requestOf(context: AstroContext): SentRequest {
  const { method, url, headers, body, bodyUsed } = context.request
  const sent = { method, url, body, bodyUsed, sender: () => senderBy(context) }
  if (!isIsland(context)) return { ...sent, headers }
  // A redirect would be followed, and the page to sign in shown in the midst of another.
  const asOfProgram = new Headers(headers)
  asOfProgram.set('accept', 'application/json')
  return { ...sent, headers: asOfProgram }
}

/** Whether the script of a page asks for a part of it, which Astro calls a server island. */
function isIsland({ routePattern }: AstroContext): boolean {
  return routePattern.startsWith('/_server-islands/')
}

function senderBy(context: AstroContext): ReturnType<typeof senderOf> {
  const { headers } = context.request
  try {
    return senderOf({ peer: context.clientAddress, headers })
  } catch {
    // Some platforms do not know.
    return senderOf({ peer: undefined, headers })
  }
}

const NOT_MOUNTED =
  'No middleware of SiteAuth has seen this request, so cookies could not be set. Export it from src/middleware.ts, ' +
  'before your own: `export const onRequest = sequence(auth.onRequest, yours)`.'
