import { getSecret } from 'astro:env/server'
import {
  changeResponse,
  type FrameworkAdapter,
  pendingChanges,
  type SentRequest,
  toResponse,
} from '@siteauth/core/integration'
import { senderOf } from '@siteauth/core/internal'
import type { AstroContext } from './astro-context.ts'
import { serverError } from './or-server-error.ts'
import { isKeptBy, keepOutOf } from './page-cache.ts'

/** Astro as the library sees it. */
export interface AstroHost extends FrameworkAdapter<AstroContext, Response> {
  /** Says that the middleware has seen a request, and will see the answer to it. */
  expect(context: AstroContext): void
  /** Whether Astro's cache has the answer already, and gives it to everybody. */
  isForEverybody(context: AstroContext): boolean
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
  /** Whether the application has failed, so that Astro shows something in place of the answer. */
  hasFailed: boolean
  /** Whether anything was asked about whoever sent the request. */
  isPersonal: boolean
  /** Whether Astro's cache was left to keep the answer. */
  isKept: boolean
  /** Requests that are rewritten are copied with their cookies. */
  readonly cookie: string | null
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

  function isForEverybody(context: AstroContext): boolean {
    const { hasBegun, isKept } = visitOf(context)
    return hasBegun && (isKept || isKeptBy(context.cache))
  }

  return {
    request(context) {
      const request = requestOf(context)
      return isForEverybody(context) ? ofNobody(request) : request
    },
    except: {
      names: 'routes',
      // A form runs an action at the address of any page.
      nameOf: context => (isAction(context) ? undefined : context.routePattern),
    },
    env: () => VARIABLES,
    key(context) {
      const visit = visitOf(context)
      // All that is about whoever sent the request begins here, and only that.
      visit.isPersonal = true
      if (visit.hasBegun && !isForEverybody(context)) keepOutOf(context.cache)
      return visit
    },
    hasBegun: context => visitOf(context).hasBegun,
    change: (context, change) => changes.add(visitOf(context), change),
    answer({ cache }, answer) {
      keepOutOf(cache)
      return toResponse(answer)
    },
    isForEverybody,
    expect({ locals, request }) {
      const known = visits.get(request)
      const before = visits.get(locals)
      // The error page comes with the same request, and a page that is shown in place of another before the answer.
      const isOther = before && !known && (before.hasBegun || before.cookie !== cookieOf(request))
      if (isOther) throw new TypeError(SHARED_LOCALS)
      const visit = before ?? known ?? newVisit(cookieOf(request))
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
        while (visit.work.size > 0) await Promise.allSettled(visit.work)
        visit.hasBegun = true
        // Astro's own cache speaks to caches last, after all middleware, and heeds none of what we say to them.
        if (visit.isPersonal) keepOutOf(context.cache)
        visit.isKept = isKeptBy(context.cache)
        return changes.applyTo(visit, response)
      } catch (thrown) {
        if (visit.isPersonal) keepOutOf(context.cache)
        const change = changes.take(visit)
        // Middleware that fails again would be skipped, and a guard of the application with it.
        const isRepeated = visit.hasFailed
        visit.hasFailed = true
        if (isRepeated) return serverError(thrown)
        if (!change || change.setCookies.length === 0) throw thrown
        // A sign-out has happened, whatever failed after it. Astro shows its error page in place of an empty response,
        // with the headers of that; of an error, it would know none.
        console.error(thrown)
        return changeResponse(new Response(null, { status: 500 }), change)
      } finally {
        visit.isAwaited = false
      }
    },
  }
}

function newVisit(cookie: string | null): Visit {
  const work = new Set<Promise<unknown>>()
  return {
    work,
    isAwaited: false,
    hasBegun: false,
    hasFailed: false,
    isPersonal: false,
    isKept: false,
    cookie,
  }
}

function cookieOf({ headers }: Request): string | null {
  return headers.get('cookie')
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

/** A request as if nobody were signed in. */
function ofNobody({ headers, ...request }: SentRequest): SentRequest {
  const copy = new Headers([...headers])
  copy.delete('cookie')
  return { ...request, headers: copy }
}

/** Whether the script of a page asks for a part of it, which Astro calls a server island. */
function isIsland({ routePattern }: AstroContext): boolean {
  return routePattern.startsWith('/_server-islands/')
}

/** Whether Astro runs an action before the page, or in place of it. */
function isAction({ request, routePattern }: AstroContext): boolean {
  return routePattern.startsWith('/_actions/') || new URL(request.url).searchParams.has('_action')
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

const SHARED_LOCALS =
  'This request came with the `locals` of another one, so one visitor would be taken for another. Hand a new object ' +
  'to each request: `handler(req, res, next, { ...locals })`.'
