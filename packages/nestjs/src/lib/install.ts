import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpServer } from '@nestjs/common'
import { isTargetedCacheHeader, removeTargetedCacheHeaders } from '@siteauth/core/internal'
import {
  addressOf,
  type NodeRequest,
  type ReceivedRequest,
  readBody,
  writeServerResponse,
} from '@siteauth/core/node'
import { type NestIntegration, noteVisit, toRequest, type Visit } from './visit.ts'

/** Lets the library see every request, and answer those to its endpoints. */
export function install(server: HttpServer, integration: NestIntegration): void {
  const instance: object = server.getInstance()
  // The second would decide for the guards of the first.
  if (installed.has(instance)) throw new Error(IMPORTED_TWICE)
  installed.add(instance)
  if (server.getType?.() === 'fastify') installInFastify(server.getInstance(), integration)
  else installInExpress(server.getInstance(), integration)
}

const installed = new WeakSet<object>()

const IMPORTED_TWICE =
  'SiteAuthModule is configured twice in one application. Import SiteAuthModule.forRoot() once; the modules of the ' +
  'application share it.'

/** Answers a request to one of the endpoints. */
async function respond(visit: Visit, parser: string): Promise<void> {
  const { req, res, integration } = visit
  const body = await readBody(req, { parser })
  writeServerResponse(res, await integration.handle(req, toRequest(visit, body)))
}

/** What is used of Express. */
interface ExpressApplication {
  use(handler: (req: ExpressRequest, res: ServerResponse, next: Next) => void): unknown
}

type Next = (error?: unknown) => void

function installInExpress(app: ExpressApplication, integration: NestIntegration): void {
  app.use((req, res, next) => {
    const visit = expressVisit(req, res, integration)
    noteVisit(visit)
    if (integration.handles(req)) respond(visit, 'express.urlencoded()').catch(next)
    else next()
  })
}

/** What is used of a request of Express. */
interface ExpressRequest extends ReceivedRequest {
  readonly originalUrl: string
  readonly app: { get(setting: string): unknown }
}

function expressVisit(
  req: ExpressRequest,
  res: ServerResponse,
  integration: NestIntegration,
): Visit {
  return {
    req,
    res,
    integration,
    received: once(() => {
      const { method, headers, socket, originalUrl: path, app } = req
      const trusts = (address: string | undefined, index: number) => {
        const trust = app.get('trust proxy fn')
        return typeof trust === 'function' && trust(address, index) === true
      }
      return { method, path, ...addressOf({ headers, socket, trusts }) }
    }),
    takeBackCaching: () => takeBackCaching(res),
  }
}

/** What is used of Fastify. */
interface FastifyInstance {
  addHook(
    name: 'onRequest',
    hook: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
  ): unknown
}

interface FastifyRequest {
  readonly raw: IncomingMessage
  readonly protocol: string
  readonly host: string
  readonly ips?: readonly string[]
}

interface FastifyReply {
  readonly raw: ServerResponse
  getHeaders(): Record<string, number | string | string[] | undefined>
  removeHeader(name: string): unknown
  hijack(): unknown
}

function installInFastify(app: FastifyInstance, integration: NestIntegration): void {
  app.addHook('onRequest', async (request, reply) => {
    const visit = fastifyVisit(request, reply, integration)
    noteVisit(visit)
    if (!integration.handles(request)) return undefined
    // The body is still to be read, and from here on the reply is ours.
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value)
    }
    await respond(visit, 'a preParsing hook that inflates it')
    return reply.hijack()
  })
}

function fastifyVisit(
  request: FastifyRequest,
  reply: FastifyReply,
  integration: NestIntegration,
): Visit {
  const { raw: req } = request
  const { raw: res } = reply
  return {
    req,
    res,
    integration,
    received: once(() => {
      const { protocol, host, ips = [] } = request
      const { method, headers, socket, url: path = '/' } = req
      // Fastify lists the peer, and those behind it as far as it trusts whoever names them.
      const trusts = (_address: unknown, index: number) => index < ips.length - 1
      // Empty if the request names none, as HTTP/1.0 may.
      const named = host || undefined
      return { method, path, ...addressOf({ headers, socket, protocol, host: named, trusts }) }
    }),
    takeBackCaching() {
      for (const name of Object.keys(reply.getHeaders())) {
        if (name === 'cache-control' || isTargetedCacheHeader(name)) reply.removeHeader(name)
      }
      takeBackCaching(res)
    },
  }
}

function takeBackCaching(res: ServerResponse): void {
  res.removeHeader('cache-control')
  removeTargetedCacheHeaders(res)
}

/** Each request is asked for several times, and stays what it is. */
function once(make: () => NodeRequest): () => NodeRequest {
  let made: NodeRequest | undefined
  return () => {
    made ??= make()
    return made
  }
}
