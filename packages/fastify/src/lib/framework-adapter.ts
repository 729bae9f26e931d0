import {
  type FrameworkAdapter,
  pendingChanges,
  type ResponseChange,
  type SentRequest,
} from '@siteauth/core/integration'
import {
  isPrivateCacheControl,
  isTargetedCacheHeader,
  PRIVATE,
  preventCaching,
} from '@siteauth/core/internal'
import { addCookiesLast } from '@siteauth/core/internal/node'
import { addressOf, type ReadBody, sentRequest } from '@siteauth/core/node'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A reply that was sent. Not the reply itself: waiting for one ends when its visitor hangs up. */
export interface SentReply {
  readonly reply: FastifyReply
}

/** Fastify as the library sees it. */
export interface FastifyFrameworkAdapter
  extends FrameworkAdapter<FastifyRequest, SentReply, FastifyReply> {
  /** Takes note of the reply that belongs to a request. */
  expect(request: FastifyRequest, reply: FastifyReply): void
  /** Makes what changes have come up to a reply that is about to be sent. */
  finish(request: FastifyRequest, reply: FastifyReply): void
}

/** Where a request keeps its reply. Not a WeakMap: every request has one, and WeakMaps slow garbage collection down. */
const REPLY: unique symbol = Symbol('reply')

interface Expected {
  [REPLY]?: FastifyReply
}

export function createFrameworkAdapter(): FastifyFrameworkAdapter {
  const changes = pendingChanges<FastifyRequest>()

  function replyTo(request: FastifyRequest & Expected): FastifyReply {
    const reply = request[REPLY]
    if (reply) return reply
    throw new Error(
      'SiteAuth does not know this request. Register the plugin before your routes: ' +
        'await app.register(auth.plugin).',
    )
  }

  return {
    expect(request: FastifyRequest & Expected, reply) {
      request[REPLY] = reply
    },
    request: request => toRequest(request),
    except: {
      names: 'routes',
      // The pattern that the router has matched. A target in absolute form has a host of its own.
      nameOf: ({ is404, raw, routeOptions }) =>
        is404 || !raw.url?.startsWith('/') ? undefined : routeOptions.url,
    },
    hasBegun(request) {
      const { sent, raw } = replyTo(request)
      return sent || raw.headersSent
    },
    change(request, { setCookies, caching }) {
      const reply = replyTo(request)
      // Headers from before this were meant for all pages, and do not count; those that are set after it do.
      if (caching === 'private') reply.removeHeader('cache-control')
      // Not by a hook: none runs where a handler takes the answer out of Fastify's hands.
      if (setCookies.length > 0) addCookiesLast(reply.raw, setCookies)
      // The same for cache headers, which a hook removes if the handler sets others.
      if (!reply.raw.headersSent) {
        reply.raw.setHeader('cache-control', caching === 'never' ? PRIVATE : 'private, no-cache')
      }
      changes.add(request, { setCookies: [], caching })
    },
    respond(request, { status, headers, setCookies, body }) {
      const reply = replyTo(request).code(status).headers(headers)
      for (const line of setCookies) reply.header('set-cookie', line)
      if (headers['Cache-Control'] === PRIVATE) {
        changes.add(request, { setCookies: [], caching: 'never' })
      }
      return { reply: reply.send(body ?? undefined) }
    },
    redirect: async (_request, _url, seeOther) => (await seeOther()).reply,
    finish(request, reply) {
      const change = changes.take(request)
      if (change) changeReply(reply, change)
    },
  }
}

/** The request as the engine takes it, its address by Fastify's setting `trustProxy`. */
export function toRequest(request: FastifyRequest, body?: ReadBody): SentRequest {
  const { method, headers, socket, protocol, host, raw, ips = [] } = request
  // Fastify lists the peer, and those behind it as far as it trusts whoever names them.
  const trusts = (_address: unknown, index: number) => index < ips.length - 1
  // Empty if the request names none, as HTTP/1.0 may.
  const address = addressOf({ headers, socket, protocol, host: host || undefined, trusts })
  return sentRequest({ method, path: raw.url ?? '/', body, ...address })
}

function changeReply(reply: FastifyReply, { caching }: ResponseChange): void {
  const header = caching === 'private' ? reply.getHeader('cache-control') : undefined
  if (header !== undefined && !isPrivateCacheControl(String(header))) return
  for (const name of Object.keys(reply.getHeaders()).filter(isTargetedCacheHeader)) {
    reply.removeHeader(name)
  }
  if (header !== undefined) return
  reply.header('cache-control', caching === 'never' ? PRIVATE : 'private, no-cache')
  // Hooks of the application may come after ours, and say otherwise.
  if (caching === 'never') preventCaching(reply.raw)
}
