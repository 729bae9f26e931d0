import type { SessionContextValue } from './session-value.ts'

/** What `useSyncExternalStore` is told, to read a store. */
export type Reading = readonly [
  /** Calls back when what is known changes. Returns a function to stop. */
  subscribe: (onChange: () => void) => () => void,
  /** What is known. The same object as long as nothing changes. */
  get: () => SessionContextValue,
  /** What was known when the page was rendered on the server. */
  rendered: () => SessionContextValue,
]

/**
 * How to read the store that a value of the context is from. Parts of a page that arrive late are made alive
 * late: they have to begin with what the server rendered, though the context may say more by then.
 */
export const readingOf: WeakMap<SessionContextValue, Reading> = /* @__PURE__ */ new WeakMap()
