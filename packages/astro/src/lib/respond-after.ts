import { changeResponse, type pendingChanges } from '@siteauth/core/integration'
import type { AstroContext } from './astro-context.ts'
import { serverError } from './or-server-error.ts'
import { isCachedBy, preventCaching } from './page-cache.ts'
import type { Visit } from './visits.ts'

type Changes = ReturnType<typeof pendingChanges<Visit>>

/** Lets the rest of the application answer, and makes the changes that were added meanwhile to its response. */
export async function respondAfter(
  changes: Changes,
  visit: Visit,
  context: AstroContext,
  next: () => Promise<Response>,
): Promise<Response> {
  // A page that is shown in place of another: its answer goes through here once more.
  if (visit.isAwaited) return next()
  visit.isAwaited = true
  try {
    const response = await next()
    // Components begin to render before Astro lets go of the response. Their sessions may be due for renewal.
    while (visit.work.size > 0) await Promise.allSettled(visit.work)
    visit.hasBegun = true
    // Astro's own cache speaks to caches last, after all middleware, and heeds none of what we say to them.
    if (visit.isPersonal) preventCaching(context.cache)
    visit.isCached = isCachedBy(context.cache)
    return changes.applyTo(visit, response)
  } catch (thrown) {
    return failed(changes, visit, context, thrown)
  } finally {
    visit.isAwaited = false
  }
}

/** The response to what the application threw, if Astro is not to respond to it. */
function failed(changes: Changes, visit: Visit, context: AstroContext, thrown: unknown): Response {
  if (visit.isPersonal) preventCaching(context.cache)
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
}
