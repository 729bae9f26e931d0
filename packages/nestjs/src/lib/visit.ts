import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Integration, SentRequest, WireResponse } from '@siteauth/core/integration'
import { type NodeRequest, type ReadBody, sentRequest } from '@siteauth/core/node'
import type { Session } from '@siteauth/core/types'
import type { NestRedirect } from './nest-redirect.ts'

/** A request of Express, or of Fastify: what `@Req()` gives. */
export type HttpRequest = IncomingMessage | { readonly raw: IncomingMessage }

/** The library on Nest. What it answers is written by whoever asked. */
export type NestIntegration<Sess = Session> = Integration<
  HttpRequest,
  Sess,
  WireResponse,
  NestRedirect
>

/** A request that arrived, on either platform. */
export interface Visit {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  /** What the platform makes of the request. */
  readonly received: () => NodeRequest
  /** Removes the cache headers that the platform has not written yet. */
  readonly takeBackCaching: () => void
  readonly integration: NestIntegration
}

// By the request, since guards and decorators are given nothing else.
const visits = new WeakMap<IncomingMessage, Visit>()

/** Takes note of a request, for guards, decorators and the service. */
export function noteVisit(visit: Visit): void {
  visits.set(visit.req, visit)
}

/** The state of a request. Throws if the module has not seen the request. */
export function visitOf(request: HttpRequest): Visit {
  const existing = visits.get(messageOf(request))
  if (existing) return existing
  throw new Error(
    'SiteAuth does not know this request. Import SiteAuthModule.forRoot() in the module of your application, ' +
      'and pass the request that @Req() gives.',
  )
}

/** Node's own request. */
export function messageOf(request: HttpRequest): IncomingMessage {
  return 'raw' in request ? request.raw : request
}

/** The request as the engine takes it. */
export function toRequest({ received }: Visit, body?: ReadBody): SentRequest {
  return sentRequest({ body, ...received() })
}
