import type { H3Event } from 'h3'

/** Where pages find the library while they are rendered: they are bundled apart from the server. */
export const CONTEXT_KEY = 'siteauth'

/** What pages find there. */
export interface RenderedSessions {
  /**
   * The session that a page is rendered with, for the browser: null if the visitor is signed out; undefined if the
   * session could not be read, or the page may be shown to others, so that the browser requests it. A session keeps
   * the page out of caches.
   */
  sessionFor(event: H3Event): Promise<unknown>
}
