import type { AstroContext } from './astro-context.ts'

/** The state of a request while it lasts. */
export interface Visit {
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
  isCached: boolean
  /** Requests that are rewritten are copied with their cookies. */
  readonly cookie: string | null
}

/** The requests that the middleware has seen. */
export interface Visits {
  /** The visit of a request. Throws if the middleware has not seen it. */
  visitOf(context: AstroContext): Visit
  /** Notes that the middleware has seen a request, and will see its response. */
  expect(context: AstroContext): void
}

export function createVisits(): Visits {
  // Requests are copied where they are rewritten, and locals are new for error pages.
  const visits = new WeakMap<object, Visit>()

  return {
    visitOf({ locals, request }) {
      const visit = visits.get(locals) ?? visits.get(request)
      if (!visit) throw new TypeError(NOT_MOUNTED)
      return visit
    },
    expect({ locals, request }) {
      const existing = visits.get(request)
      const before = visits.get(locals)
      // The error page comes with the same request, and a page that is shown in place of another before the answer.
      const isOther =
        before && !existing && (before.hasBegun || before.cookie !== cookieOf(request))
      if (isOther) throw new TypeError(SHARED_LOCALS)
      const visit = before ?? existing ?? newVisit(cookieOf(request))
      visits.set(locals, visit).set(request, visit)
    },
  }
}

/** Has the response wait for something that was begun before it. */
export async function during<Result>({ work }: Visit, run: () => Promise<Result>): Promise<Result> {
  const running = run()
  work.add(running)
  try {
    return await running
  } finally {
    work.delete(running)
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
    isCached: false,
    cookie,
  }
}

function cookieOf({ headers }: Request): string | null {
  return headers.get('cookie')
}

const NOT_MOUNTED =
  'No middleware of SiteAuth has seen this request, so cookies could not be set. Export it from src/middleware.ts, ' +
  'before your own: `export const onRequest = sequence(auth.onRequest, yours)`.'

const SHARED_LOCALS =
  'This request came with the `locals` of another one, so one visitor would be taken for another. Hand a new object ' +
  'to each request: `handler(req, res, next, { ...locals })`.'
