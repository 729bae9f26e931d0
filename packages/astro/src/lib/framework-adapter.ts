import { getSecret } from 'astro:env/server'
import { type FrameworkAdapter, pendingChanges, toResponse } from '@siteauth/core/integration'
import type { AstroContext } from './astro-context.ts'
import { isCachedBy, preventCaching } from './page-cache.ts'
import { ofNobody, requestOf } from './request-of.ts'
import { respondAfter } from './respond-after.ts'
import { createVisits, during, type Visit } from './visits.ts'

/** Astro as the library sees it. */
export interface AstroFrameworkAdapter extends FrameworkAdapter<AstroContext, Response> {
  /** Notes that the middleware has seen a request, and will see its response. */
  expect(context: AstroContext): void
  /** Whether Astro's cache has the answer already, and gives it to everybody. */
  isForEverybody(context: AstroContext): boolean
  /** Has the answer wait for something that was begun before it. */
  during<Result>(context: AstroContext, work: () => Promise<Result>): Promise<Result>
  /** Lets the rest of the application answer, and makes to the answer what changes have come up meanwhile. */
  respondAfter(context: AstroContext, next: () => Promise<Response>): Promise<Response>
}

export function createFrameworkAdapter(): AstroFrameworkAdapter {
  const changes = pendingChanges<Visit>()
  const { visitOf, expect } = createVisits()

  function isForEverybody(context: AstroContext): boolean {
    const { hasBegun, isCached } = visitOf(context)
    return hasBegun && (isCached || isCachedBy(context.cache))
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
      if (visit.hasBegun && !isForEverybody(context)) preventCaching(context.cache)
      return visit
    },
    hasBegun: context => visitOf(context).hasBegun,
    change: (context, change) => changes.add(visitOf(context), change),
    respond({ cache }, response) {
      preventCaching(cache)
      return toResponse(response)
    },
    isForEverybody,
    expect,
    during: async (context, run) => during(visitOf(context), run),
    respondAfter: async (context, next) => respondAfter(changes, visitOf(context), context, next),
  }
}

/** Also those in `.env` count, and those of platforms that have none for the whole process. */
const VARIABLES = new Proxy<Record<string, string | undefined>>(
  {},
  { get: (_, name) => (typeof name === 'string' ? getSecret(name) : undefined) },
)

/** Whether Astro runs an action before the page, or in place of it. */
function isAction({ request, routePattern }: AstroContext): boolean {
  return routePattern.startsWith('/_actions/') || new URL(request.url).searchParams.has('_action')
}
