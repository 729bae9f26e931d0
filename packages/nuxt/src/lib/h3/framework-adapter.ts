import { type FrameworkAdapter, toResponse, type WireResponse } from '@siteauth/core/integration'
import {
  changedCookies,
  PRIVATE,
  preventCaching,
  readCookies,
  removeTargetedCacheHeaders,
  senderOf,
} from '@siteauth/core/internal'
import type { H3Event } from 'h3'
import type { Arrivals } from './arrivals.ts'
import { protectCookies } from './protect-cookies.ts'
import { requestOf } from './request-of.ts'

/** h3 as the library sees it. */
export function createFrameworkAdapter(
  arrivals: Arrivals,
): FrameworkAdapter<H3Event, WireResponse, Response> {
  // Cookies that a request of the server to itself has set count for the rest of the outer one.
  const keys = new WeakMap<H3Event, object>()

  function setCookies(event: H3Event, lines: readonly string[]): void {
    if (event.handled || lines.length === 0) return
    protectCookies(event.node.res, lines)
    const outer = arrivals.outerOf(event)
    if (outer) {
      const sent = event.headers.get('cookie')
      const current = lines.filter(line => isEnd(line) || isSame(nameIn(line), sent, outer))
      if (current.length > 0) keys.set(outer, {})
      setCookies(outer, current)
    }
    // Requests of the server to itself, and Nuxt's to its error page, take these along.
    const header = changedCookies(event.headers.get('cookie'), lines.map(parseLine))
    event.headers.set('cookie', header)
    event.node.req.headers.cookie = header
  }

  function setCaching(event: H3Event, caching: 'never' | 'private'): void {
    const { res } = event.node
    if (event.handled) return
    if (caching === 'never') preventCaching(res)
    else {
      // Headers from before this were meant for all pages. Those that a handler sets after it count.
      removeTargetedCacheHeaders(res)
      res.setHeader('cache-control', 'private, no-cache')
    }
    // A page that shows what it got from an answer is no less about one visitor.
    const outer = arrivals.outerOf(event)
    if (outer) setCaching(outer, caching)
  }

  return {
    request(event) {
      const outermost = arrivals.outermostOf(event)
      return { ...requestOf(event, outermost), sender: () => senderBy(outermost) }
    },
    except: {
      names: 'paths',
      // The target as sent, which no two routes share: `path` is decoded, cut below a mount, and may end in a fragment.
      // h3 dispatches HEAD to the next route that matches if there is none for it.
      nameOf: ({ method, node, path }) =>
        method === 'HEAD' ? undefined : sentPath(targetOf(node.req), path),
    },
    key: event => keys.get(event) ?? event,
    env: ({ context }) => (context as { cloudflare?: { env?: Env } }).cloudflare?.env,
    hasBegun: event => event.handled,
    redirect: async (_event, _url, seeOther) => toResponse(await seeOther()),
    change(event, { setCookies: lines, caching }) {
      if (lines.length > 0 && arrivals.isForEverybody(event))
        throw new Error(cachedCookiesMessage(event))
      setCookies(event, lines)
      setCaching(event, caching)
    },
    respond(event, response) {
      // A response that is cached for everybody was made without a session, so it has no cookies.
      if (!arrivals.isPartOfCached(event)) setCookies(event, response.setCookies)
      if (response.headers['Cache-Control'] === PRIVATE) setCaching(event, 'never')
      return { ...response, setCookies: [] }
    },
  }
}

/** The path as sent; undefined if a server in front of h3 has written another one. */
function sentPath(target: string, path: string): string | undefined {
  const [sent = ''] = target.split('?', 1)
  const [routed = ''] = path.split('?', 1)
  return sent.endsWith(routed) || routed === '/' ? sent : undefined
}

function targetOf({ url = '/', originalUrl = url }: ArrivedRequest): string {
  return originalUrl
}

/** Node's request, with the target as sent if h3 has cut it. */
interface ArrivedRequest {
  readonly url?: string | undefined
  readonly originalUrl?: string | undefined
}

type Env = Readonly<Record<string, string | undefined>>

function cachedCookiesMessage({ path }: H3Event): string {
  return (
    `The answer to ${path} is kept for everybody (routeRules, defineCachedEventHandler), so it cannot sign anybody ` +
    'in or out. Call this from a handler that is not cached.'
  )
}

function parseLine(line: string): Parameters<typeof changedCookies>[1][number] {
  const [pair = ''] = line.split(';', 1)
  const at = pair.indexOf('=')
  // It is encoded already.
  const options = { encode: (value: string) => value, ...(isEnd(line) && { maxAge: 0 }) }
  return { name: pair.slice(0, at), value: pair.slice(at + 1), options }
}

function nameIn(line: string): string {
  return line.slice(0, line.indexOf('='))
}

/** Whether a line takes a cookie away. */
function isEnd(line: string): boolean {
  return /;\s*max-age=0\s*(;|$)/i.test(line)
}

/** Whether the outer request still has the cookie that this one was sent: who signed out meanwhile stays signed out. */
function isSame(name: string, sent: string | null, outer: H3Event): boolean {
  return cookieIn(sent, name) === cookieIn(outer.headers.get('cookie'), name)
}

function cookieIn(header: string | null, name: string): string | undefined {
  return readCookies(header, name).find(cookie => cookie.name === name)?.value
}

function senderBy({ node, context, headers }: H3Event): ReturnType<typeof senderOf> {
  const peer = node.req.socket?.remoteAddress || context.clientAddress
  return senderOf({ peer, headers })
}
