import { manySessionsSuite } from './many-sessions.ts'
import { OUR_STORES } from './stores.ts'

/** More than a call can have arguments. */
const COUNT = 130_000

for (const store of OUR_STORES) {
  if (store.name === 'memory') manySessionsSuite(store, COUNT)
}
