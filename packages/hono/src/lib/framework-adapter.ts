import {
  changeResponse,
  type FrameworkAdapter,
  pendingChanges,
  type ResponseChange,
  type SentRequest,
  toResponse,
} from '@siteauth/core/integration'
import { hasMalformedHost, malformedHost, PRIVATE, senderOf } from '@siteauth/core/internal'
import type { Context, Next } from 'hono'
import { env } from 'hono/adapter'

/** Hono as the library sees it. */
export interface HonoFrameworkAdapter extends FrameworkAdapter<Context, Response> {
  /**
   * Lets the rest of the application answer, unless `decide` does, and makes to the answer what changes have
   * come up meanwhile. A request whose `Host` header is malformed gets 400 instead.
   */
  respondAfter(c: Context, next: Next, decide?: () => Promise<Response | undefined>): Promise<void>
}

export function createFrameworkAdapter(): HonoFrameworkAdapter {
  const changes = pendingChanges<Context>()
  // The requests that a middleware of ours waits for.
  const awaited = new WeakSet<Context>()
  const begun = new WeakSet<Context>()

  return {
    request(c) {
      if (!awaited.has(c)) throw new TypeError(NOT_MOUNTED)
      return new ReceivedRequest(c)
    },
    except: {
      names: 'paths',
      nameOf: routedPath,
    },
    env: c => env<Record<string, string | undefined>>(c),
    hasBegun: c => begun.has(c),
    // With everything else that is on the context, such as cookies of the application.
    redirect: async (c, _url, seeOther) => c.newResponse(null, await seeOther()),
    respond(c, response) {
      const { setCookies, headers } = response
      // Hono lays what others have set on the context over a response, and drops its cookies for theirs.
      if (setCookies.length > 0 || headers['Cache-Control'] === PRIVATE) {
        changes.add(c, { setCookies, caching: 'never' })
      }
      return toResponse({ ...response, setCookies: [] })
    },
    change(c, change) {
      // Headers from before this were meant for all pages, and do not count; those that are set after it do.
      if (change.caching === 'private') c.header('cache-control', undefined)
      changes.add(c, change)
    },
    async respondAfter(c, next, decide) {
      const isOutermost = !awaited.has(c)
      if (isOutermost && hasMalformedHost(c.req.raw.headers)) {
        c.res = toResponse(malformedHost())
        return
      }
      awaited.add(c)
      const decided = await decide?.().catch(error => {
        const change = isOutermost && changes.take(c)
        if (change) changeAhead(c, change)
        throw error
      })
      if (decided) c.res = decided
      else await next()
      if (isOutermost) begun.add(c)
      const change = changes.take(c)
      if (!change) return
      // Middleware between two of ours may replace the response, or change its cache headers. So cache headers are
      // set here and further out, and cookies at the very end.
      if (!isOutermost && change.caching === 'never') changes.add(c, change)
      const setCookies = isOutermost ? change.setCookies : []
      const changed = changeResponse(c.res, { ...change, setCookies })
      // Hono would lay the headers of the one that is there over those of the new one.
      c.res = undefined
      c.res = changed
    },
  }
}

/** For an error of our own middleware: Hono answers it once that is left, with what is on the context. */
function changeAhead(c: Context, { setCookies, caching }: ResponseChange): void {
  for (const line of setCookies) c.header('set-cookie', line, { append: true })
  c.header('cache-control', caching === 'never' ? PRIVATE : 'private, no-cache')
}

/**
 * A request of Hono. It is asked several times for each, and mostly for one thing: on Node, Hono makes a whole request only
 * for those who look at its body, and few do.
 */
class ReceivedRequest implements SentRequest {
  readonly #c: Context

  constructor(c: Context) {
    this.#c = c
  }

  get method(): string {
    return this.#c.req.raw.method
  }

  get url(): string {
    return this.#c.req.raw.url
  }

  get headers(): Headers {
    return this.#c.req.raw.headers
  }

  get body(): SentRequest['body'] {
    return this.#c.req.raw.body
  }

  get bodyUsed(): boolean {
    return this.#c.req.raw.bodyUsed
  }

  get sender(): SentRequest['sender'] {
    const { headers } = this
    const peer = peerOf(this.#c)
    return peer === undefined ? undefined : () => senderOf({ peer, headers })
  }
}

/**
 * The path that the router matches, if it was sent like that. Otherwise, handlers can read another path from the same request,
 * such as applications for Node that are handed `c.env.incoming`. Before 4.13, `app.mount()` cuts an encoded path by the
 * length of a decoded one; before 4.9.6, a short host makes Hono skip the beginning of the path.
 */
function routedPath(c: Context): string | undefined {
  const { path, raw } = c.req
  return sentPath(c) === path && !ENCODED_PATH.test(raw.url) ? path : undefined
}

/** The path of the target as sent, as far as the platform shows it: Node does, and Deno normalises nothing. */
function sentPath(c: Context): string | undefined {
  const { incoming } = (c.env ?? {}) as { incoming?: { url?: string } }
  return incoming?.url?.split('?', 1)[0] ?? URL_WITH_PATH.exec(c.req.raw.url)?.[1]
}

const ENCODED_PATH = /^[^?#]*%/
const URL_WITH_PATH = /^https?:\/\/[^/\\?#]+([^?#]*)/

/** The peer's address, if Hono runs on Node: elsewhere, the platform has headers of its own for it. */
function peerOf(c: Context): string | undefined {
  const { incoming } = (c.env ?? {}) as { incoming?: { socket?: { remoteAddress?: string } } }
  return incoming?.socket?.remoteAddress
}

const NOT_MOUNTED =
  'No middleware of SiteAuth waits for the answer to this request, so cookies could not be set. Add ' +
  '`app.use(auth.handler)` before whatever calls SiteAuth; an application that is mounted with `app.mount()` needs ' +
  'its own.'
