import { parsePath, resolveOrigin, type SiteAddress, siteAddressOf } from '@siteauth/core/internal'
import type { NextRequest } from 'next/server.js'
import type { NextConfigLoader } from '../config/settings.ts'
import {
  addressOf,
  browserUrl,
  hasLanguage,
  isForData,
  pathWithout,
  routedPath,
} from '../request-url.ts'
import { withoutRsc } from '../without-rsc.ts'

/** A request to an application. */
export interface Visit {
  readonly loader: NextConfigLoader
  /** What Next and proxies put before the paths that the application knows. */
  readonly prefix: string
  readonly request: NextRequest
}

/** The page that a request is for, among what is not an endpoint. */
export interface RequestedPage {
  /** Whether people need it who are not signed in. */
  readonly isOpen: boolean
  readonly app: SiteAddress
  /** As browsers see it. */
  readonly url: URL
  /** The origin that Next shows, which is another where it listens on several. */
  readonly nextOrigin: string
}

/** Finds out which page a request is for. */
export function requestedPage({ loader, prefix, request }: Visit): RequestedPage {
  const app = siteAddressOf(loader.sources)
  const { origin: nextOrigin, pathname, search } = browserUrl(request)
  const resolved = resolveOrigin(app.origin, app.trustHost, addressOf(request))
  const origin = resolved.origin ?? nextOrigin
  // Not relative to the origin: a path that starts with two slashes would name another host.
  const url = withoutRsc(new URL(origin + pathname + search))
  const path = routedPath(request)
  // Next calls the data of `/` and of `/index` the same for the proxy.
  const isElsewhere = hasLanguage(request) || (path === '/' && isForData(request))
  const isOpen = !isElsewhere && isOpenPage(app, path, prefix)
  return { isOpen, app, url, nextOrigin }
}

/** Where a page is that is configured as a path. The name is reserved, so it is nobody's. */
const HERE = 'https://here.invalid'

/**
 * Whether a path is one of the pages that `authorized` cannot close. A page that is configured as a URL is one of this
 * application only if its origin is the configured one: headers of the request do not decide.
 */
function isOpenPage({ pages, origin }: SiteAddress, path: string, prefix: string): boolean {
  const { signIn, signOut, error, verifyRequest } = pages
  return [signIn, signOut, error, verifyRequest].some(page => {
    if (page === undefined) return false
    const url = new URL(page, HERE)
    const isOwn = url.origin === HERE || url.origin === origin
    return isOwn && pathWithout(prefix, url.pathname) === path
  })
}

/** What our own files are called: `page.0123456789abcdef.js`. */
const FILE = /^\/assets\/[a-z]+\.[0-9a-f]{16}\.js$/

/**
 * Whether a path is an endpoint where those are at the root, beside the application's own pages: nothing
 * may pass unasked that merely looks like one. Only files of ours and providers that there are count.
 */
export async function isRootEndpoint(loader: NextConfigLoader, path: string): Promise<boolean> {
  const target = parsePath(path, [''])
  if (target === null) return false
  if (target.action === 'assets') return FILE.test(path)
  if (target.providerId === undefined) return true
  const config = await loader.complete()
  // A proxy may be configured without the providers, which only the endpoints need.
  if (config.problems || config.providers.size === 0) return true
  return config.providers.has(target.providerId)
}
