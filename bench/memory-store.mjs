// What is asked about one user of the memory store, and whether that depends on how many others there are: the cost must not grow
// with their number. The limit is the same call among a thousand users.
import { MemoryAdapter } from '@siteauth/adapters/memory'
import { measure } from './lib/measure.mjs'
import { expectParts } from './lib/progress.mjs'
import { report, timeBars, timeColumns } from './lib/report.mjs'

const SIZES = [1000, 40_000]
const rounds = Number(process.env.ROUNDS ?? 41)
const EXPIRES = new Date(Date.now() + 30 * 24 * 3_600_000)

const CALLS = {
  'list sessions': (adapter, n) => adapter.listSessions(`user-${n}`),
  'list devices': (adapter, n) => adapter.trackedSessions.list(`user-${n}`, 10),
  'find by address': (adapter, n) => adapter.getUserByEmail(`${n}@example.com`),
}

const stores = []
for (const size of SIZES) stores.push({ size, adapter: await withUsers(size) })
expectParts(Object.keys(CALLS).length)
const rows = []
for (const [name, call] of Object.entries(CALLS)) rows.push(...(await measureCall(name, call)))
report('memory-store', {
  title: 'The memory store, by how many users there are',
  note: 'Each user has three sessions, which are in both lists. Each time another user: more of them fit less well into the caches of the processor. Limit: the same among 1 000 users.',
  rows,
  columns: timeColumns,
  bars: timeBars,
})

function measureCall(name, call) {
  const contenders = stores.map(({ size, adapter }) => ({
    name: `${name}, ${size.toLocaleString('en').replaceAll(',', ' ')} users`,
    ours: true,
    run: async () => {
      const found = await call(adapter, Math.floor(Math.random() * size))
      if (!found || found.length === 0) throw new Error('nobody')
    },
  }))
  return measure(contenders, { rounds })
}

async function withUsers(size) {
  const adapter = MemoryAdapter()
  for (let n = 0; n < size; n += 1) {
    const userId = `user-${n}`
    await adapter.createUser({ id: userId, email: `${n}@example.com`, emailVerified: null })
    for (const device of ['phone', 'laptop', 'television']) {
      await adapter.createSession({ sessionToken: `${device}-${n}`, userId, expires: EXPIRES })
      await adapter.trackedSessions.add({ id: `s:${device}-${n}`, userId, expires: EXPIRES })
    }
  }
  return adapter
}
