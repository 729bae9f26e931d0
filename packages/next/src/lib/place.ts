import { type SiteFrame, siteFrameOf } from '@siteauth/core/integration'
import type { NextRequest } from 'next/server.js'
import { addressedRequest } from './addressed.ts'
import { originOf } from './origin-of.ts'
import { ownPath, seenUrl } from './own-path.ts'
import { prefixOf, type Setup } from './settings.ts'
import { withoutRsc } from './without-rsc.ts'

/** Where a request is for, among what is not an endpoint. */
export interface Place {
  /** Whether it is a page that people need who are not signed in. */
  readonly isOpen: boolean
  readonly frame: SiteFrame
  /** As browsers see it. */
  readonly url: URL
  /** The origin that Next shows, which is another where it listens on several. */
  readonly shown: string
}

/** Finds out where a request is for. */
export function placeOf({ basis }: Setup, request: NextRequest): Place {
  const frame = siteFrameOf(basis)
  const seen = seenUrl(request)
  const { origin: shown } = seen
  const origin = originOf(frame, addressedRequest(request)) ?? shown
  // Not relative to the origin: a path that starts with two slashes would name another host.
  const url = withoutRsc(new URL(origin + seen.pathname + seen.search))
  const prefix = prefixOf(frame)
  const isOpen = isOpenPage(frame, ownPath(url.pathname, prefix), origin, prefix)
  return { isOpen, frame, url, shown }
}

function isOpenPage(
  { pages }: Pick<SiteFrame, 'pages'>,
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
