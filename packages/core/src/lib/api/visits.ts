import type { SetCookie } from '../http/cookies.ts'
import { readHeader } from '../http/request-headers.ts'
import type { SessionRequest } from './auth-instance.ts'

/** The state of a request for as long as it lasts. */
export interface Visit {
  /** The cookies that calls have set, for the response. */
  readonly setCookies: string[]
  /** The cookies that the browser will send from now on, if they differ from those it sent. */
  cookieHeader: string | undefined
  /** Whether the application has taken the cookies for its response. */
  isOver: boolean
}

/** The requests of an application that calls have set cookies for. */
export interface Visits {
  /** The state of a request, which lasts from now on. */
  of(request: SessionRequest): Visit
  /** The same without storing it: most requests only read their session. */
  read(request: SessionRequest): Pick<Visit, 'cookieHeader' | 'isOver'>
  /** Adds cookies to the response, unless the visit turns out to be outdated. */
  setCookies(
    request: SessionRequest,
    cookies: readonly SetCookie[],
    isOutdated?: (visit: Visit) => boolean,
  ): Promise<void>
  /** Hands out the `Set-Cookie` lines of a request, and ends its visit. */
  take(request: SessionRequest): readonly string[]
}

export function createVisits(): Visits {
  const visits = new WeakMap<SessionRequest, Visit>()

  function visitOf(request: SessionRequest): Visit {
    const found = visits.get(request)
    if (found) return found
    const visit: Visit = { setCookies: [], cookieHeader: undefined, isOver: false }
    visits.set(request, visit)
    return visit
  }

  return {
    of: visitOf,
    read: request => visits.get(request) ?? UNVISITED,
    async setCookies(request, cookies, isOutdated) {
      if (cookies.length === 0) return
      const { changedCookies, serializeCookie } = await import('../http/cookie-text.ts')
      const visit = visitOf(request)
      if (isOutdated?.(visit)) return
      const before = visit.cookieHeader ?? readHeader(request.headers, 'cookie')
      visit.cookieHeader = changedCookies(before, cookies)
      visit.setCookies.push(...cookies.map(serializeCookie))
    },
    take(request) {
      const visit = visitOf(request)
      visit.isOver = true
      return visit.setCookies.splice(0)
    },
  }
}

const UNVISITED: Pick<Visit, 'cookieHeader' | 'isOver'> = { cookieHeader: undefined, isOver: false }
