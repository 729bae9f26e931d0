import type { H3Event } from 'h3'

/** Where pages find the library while they are rendered: they are bundled apart from the server. */
export const CONTEXT_KEY = 'siteauth'

/** What pages find there. */
export interface RenderedSessions {
  /**
   * Who a page is rendered for, as browsers are told: null for strangers; undefined if that is not known, or the page
   * may be shown to others, so that the browser asks. What is known keeps the page out of caches.
   */
  sessionFor(event: H3Event): Promise<unknown>
}
