import type { PublicProvider, Session } from '@siteauth/core/types'
import { readMarker } from './change-marker.ts'
import { tellProviders } from './page-event.ts'
import { type EndpointPath, onBehalfOf, type RequestSource, request } from './request.ts'

/** Which request {@link getSession} is made for, and who is told. */
export interface GetSessionParams extends RequestSource {
  /** Whether to tell providers, here and in other tabs. Defaults to true. */
  broadcast?: boolean
  /** No effect; kept for code that sets it. */
  event?: string
  /** No effect; kept for code that sets it. */
  triggerEvent?: boolean
}

/** What a page may know of a provider. */
export type ClientSafeProvider = PublicProvider

/** The providers of the application, by id. */
export type ClientSafeProviders = Record<string, ClientSafeProvider>

export async function readSession(
  base: string,
  params?: GetSessionParams,
): Promise<Session | null> {
  const asked = { at: Date.now(), marker: readMarker(globalThis.document) }
  const init = onBehalfOf(params)
  const session = await request<Session | null>(base, 'session', init)
  // What a server asks for a visitor is nobody else's business, even where it pretends to have a page.
  const isOfPage = !init.headers
  if (isOfPage && params?.broadcast !== false) {
    tellProviders({ base, data: { session, ...asked } })
  }
  return session
}

/** Empty if there is none, as where the application has switched the check off. */
export async function readCsrfToken(base: string, init?: RequestInit): Promise<string> {
  return (await tryToRead<{ csrfToken: string }>(base, 'csrf', init))?.csrfToken ?? ''
}

export function readProviders(base: string): Promise<ClientSafeProviders | null> {
  return tryToRead(base, 'providers')
}

function tryToRead<T>(base: string, endpoint: EndpointPath, init?: RequestInit): Promise<T | null> {
  return request<T>(base, endpoint, init).catch(() => null)
}
