// What is used of Astro's types. The application in conformance/astro is compiled against the real ones.

import type { PageCache } from './page-cache.ts'

/** What middleware, endpoints and actions are given, and what is `Astro` on pages. */
export interface AstroContext {
  readonly request: Request
  /** The same object for as long as a request lasts, also where it is rewritten. */
  readonly locals: object
  readonly clientAddress: string
  readonly isPrerendered: boolean
  readonly routePattern: string
  /** Astro's own cache of pages, from Astro 6 on. */
  readonly cache?: PageCache | undefined
}
