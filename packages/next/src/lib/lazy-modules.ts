// What a proxy does without as long as it lets requests pass. The list is loaded late as well: bundlers write
// the names of all files of a part where it is loaded.

/** The parts, by name. */
export interface LazyModules {
  /** The modules that most requests do without: denials, functions that `auth` wraps, new cookies. */
  readonly rareCases: typeof import('./proxy/lazy-responses.ts')
  /** Refreshes providers' tokens in cookies, where an application keeps them there. */
  readonly tokens: typeof import('./proxy/refresh-tokens.ts')
  /** Reads sessions in pages and routes, with Next's own code for that: a proxy is given its request. */
  readonly pages: typeof import('./read/pages.ts')
  /** Signs people in and out: most requests only ask who they are from. */
  readonly calls: typeof import('./calls/server-calls.ts')
}

/** How each is loaded. */
export const lazyModules: {
  readonly [Name in keyof LazyModules]: () => Promise<LazyModules[Name]>
} = {
  rareCases: () => import('./proxy/lazy-responses.ts'),
  tokens: () => import('./proxy/refresh-tokens.ts'),
  pages: () => import('./read/pages.ts'),
  calls: () => import('./calls/server-calls.ts'),
}
