import { pendingChanges, type ResponseChange } from '@siteauth/core/integration'
import type { RequestEvent } from '@sveltejs/kit'

/** The changes to responses that SvelteKit does not make by itself. */
export interface ResponseChanges {
  /** Notes cookies that SvelteKit passes on to the page: it does not pass on cache headers. */
  notePassedOn(event: RequestEvent, setCookies: readonly string[]): void
  /** Adds a change to the response to a request. */
  add(request: Request, change: ResponseChange): void
  /** Returns the changes to a response that sets these cookies. No cache stores it if one was passed on. */
  takeFor(request: Request, setCookies: readonly string[]): ResponseChange | undefined
}

export function createResponseChanges(): ResponseChanges {
  const changes = pendingChanges<Request>()
  // Names of cookies that were set for requests which the application made of itself.
  const passedOn = new Set<string>()

  return {
    notePassedOn({ isSubRequest }, setCookies) {
      if (isSubRequest) for (const line of setCookies) passedOn.add(nameIn(line))
    },
    add: (request, change) => changes.add(request, change),
    takeFor(request, setCookies) {
      const isAboutOne = setCookies.some(line => passedOn.has(nameIn(line)))
      if (isAboutOne) changes.add(request, { setCookies: [], caching: 'never' })
      return changes.take(request)
    },
  }
}

function nameIn(setCookieLine: string): string {
  return setCookieLine.slice(0, setCookieLine.indexOf('='))
}
