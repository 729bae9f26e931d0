import { manySessionsSuite } from './many-sessions.ts'
import { OUR_STORES } from './stores.ts'

/** In memory, more than a call can have arguments. */
const COUNTS: Readonly<Record<string, number>> = { memory: 130_000, Redis: 300_000 }

for (const store of OUR_STORES) manySessionsSuite(store, COUNTS[store.name] ?? 100_000)
