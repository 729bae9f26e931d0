import type { FrameworkAdapter, WireResponse } from '@siteauth/core/integration'
import { isTooLate } from '@siteauth/core/internal/node'
import { changeServerResponse } from '@siteauth/core/node'
import type { NestRedirect } from './nest-redirect.ts'
import { type HttpRequest, messageOf, toRequest, visitOf } from './visit.ts'

/** Nest as the library sees it, on either platform: both write to Node's response in the end. */
export const nestFramework: FrameworkAdapter<HttpRequest, WireResponse, NestRedirect> = {
  request: request => toRequest(visitOf(request)),
  key: messageOf,
  hasBegun: request => isTooLate(visitOf(request).res),
  respond: (_request, response) => response,
  redirect: (_request, url) => ({ url, statusCode: 303 }),
  change(request, change) {
    const { res, takeBackCaching } = visitOf(request)
    // Headers from before this were meant for all pages, and do not count; those that are set after it do.
    if (change.caching === 'private' && !isTooLate(res)) takeBackCaching()
    changeServerResponse(res, change)
  },
}
