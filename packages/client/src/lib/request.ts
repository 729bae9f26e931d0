import type { AuthAction } from '@siteauth/core/types'
import { addressOf } from '#address'
import { PATIENCE } from './store/timing.ts'

/** What a server-side caller may hand over, so that the request is made for its visitor. */
export interface RequestSource {
  headers?: { cookie?: string | undefined } | undefined
  req?: { headers?: { cookie?: string | undefined } | undefined } | undefined
}

/** The path of an endpoint: one that core declares, with a provider and a query if it takes them. */
export type EndpointPath = AuthAction | `${AuthAction}/${string}`

/** Sends a request to an endpoint, from a page or from a server. */
export function send(base: string, endpoint: EndpointPath, init?: RequestInit): Promise<Response> {
  return fetch(addressOf(base, endpoint), {
    // Also where the endpoints are at another origin.
    credentials: 'include',
    signal: AbortSignal.timeout(PATIENCE),
    ...init,
  })
}

/** What `fetch` is told so that a request is made for a visitor. */
export function onBehalfOf(source: RequestSource | undefined): RequestInit {
  const cookie = (source?.req ?? source)?.headers?.cookie
  return cookie ? { headers: { cookie } } : {}
}

/** What an endpoint answers. An empty body says as much as `null`. Rejects unless all went well. */
export async function request<T>(
  base: string,
  endpoint: EndpointPath,
  init?: RequestInit,
): Promise<T> {
  const response = await send(base, endpoint, init)
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`)
  return JSON.parse((await response.text()) || 'null')
}
