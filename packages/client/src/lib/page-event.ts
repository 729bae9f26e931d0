import type { Session } from '@siteauth/core/types'

/** What a server said about who is signed in. */
export interface SessionResponse {
  readonly session: Session | null
  /** When it was asked, in milliseconds since 1970. */
  readonly at: number
  /** The change marker at that time: see `change-marker.ts`. */
  readonly marker: string | undefined
}

/**
 * What a function says to the providers on its page, and they to it. An event of the page takes it
 * there and back at once, so that no variable of a module has to hold what belongs to a provider.
 */
export interface PageEvent {
  /** The endpoints. Where the function does not know them, a provider fills them in. */
  base?: string
  /** What the function was told. */
  data?: SessionResponse
  /** Settles when the function is through: `true` if it has signed somebody in or out, and stays here. */
  changed?: Promise<boolean | undefined>
  /** Whether the page is left then, and other tabs need not wait for it. */
  redirect?: boolean
  /** Settled when the providers know about the change. */
  readonly waits: Promise<unknown>[]
}

/** The name of the event. */
export const PAGE_EVENT = 'siteauth'

/** Says something to the providers on this page. Without a page, nobody listens. */
export function tellProviders(event: Omit<PageEvent, 'waits'>): PageEvent {
  const detail = { ...event, waits: [] }
  globalThis.window?.dispatchEvent(new CustomEvent(PAGE_EVENT, { detail }))
  return detail
}
