import { MemoryAdapter } from '@siteauth/adapters/memory'

const shared = globalThis as { store?: ReturnType<typeof MemoryAdapter> }
shared.store ??= MemoryAdapter()

/** One for the proxy, pages and handlers, each of which has modules of its own. */
export const { store } = shared as Required<typeof shared>
