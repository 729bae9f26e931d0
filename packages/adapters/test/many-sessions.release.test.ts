import { manySessionsSuite } from './many-sessions.ts'
import { OUR_STORES } from './stores.ts'

for (const store of OUR_STORES) {
  if (store.name === 'Redis') manySessionsSuite(store, 300_000)
  else if (store.name !== 'memory') manySessionsSuite(store, 100_000)
}
