import { type Whereabouts, whereaboutsOf } from '@siteauth/core/integration'
import type { NextRequest } from 'next/server.js'
import { addressedRequest } from './addressed.ts'
import { originOf } from './origin-of.ts'
import { ownPath, seenUrl } from './own-path.ts'
import { type NextConfigLoader, prefixOf } from './settings.ts'
import { withoutRsc } from './without-rsc.ts'

/** Where a request is for, among what is not an endpoint. */
export interface Place {
  /** Whether it is a page that people need who are not signed in. */
  readonly isOpen: boolean
  /** Where the application and its pages are. */
  readonly app: Whereabouts
  /** As browsers see it. */
  readonly url: URL
  /** The origin that Next shows, which is another where it listens on several. */
  readonly shown: string
}

/** Finds out where a request is for. */
export function placeOf({ sources }: NextConfigLoader, request: NextRequest): Place {
  const app = whereaboutsOf(sources)
  const seen = seenUrl(request)
  const { origin: shown } = seen
  const origin = originOf(app, addressedRequest(request)) ?? shown
  // Not relative to the origin: a path that starts with two slashes would name another host.
  const url = withoutRsc(new URL(origin + seen.pathname + seen.search))
  const prefix = prefixOf(app)
  const isOpen = isOpenPage(app, ownPath(url.pathname, prefix), origin, prefix)
  return { isOpen, app, url, shown }
}

function isOpenPage(
  { pages }: Pick<Whereabouts, 'pages'>,
  path: string,
  origin: string,
  prefix: string,
): boolean {
  const { signIn, signOut, error, verifyRequest } = pages
  return [signIn, signOut, error, verifyRequest].some(page => {
    if (page === undefined) return false
    const url = new URL(page, origin)
    return url.origin === origin && ownPath(url.pathname, prefix) === path
  })
}
