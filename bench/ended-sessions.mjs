// What it costs to look whether a session was ended, by how many others were. The limit is the same check
// without looking. Memory is what the process holds for each end.
//
// node --expose-gc has memory measured; npm run bench does so.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { measure } from './lib/measure.mjs'
import { expectParts } from './lib/progress.mjs'
import { report, timeBars, timeColumns } from './lib/report.mjs'
import { mark, ours } from './lib/session-contenders.mjs'
import { visitorWith } from './lib/visitor.mjs'

const SIZES = [0, 1000, 100_000, 500_000]
const DAY = 24 * 60 * 60 * 1000
const quick = process.env.QUICK ? { rounds: 3 } : {}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')

expectParts(2)
const visitor = await visitorWith(410)
const held = new Map()
for (const [id, title, options] of [
  ['ended-sessions', 'every token opened', { jwt: { cacheSize: 0 } }],
  ['ended-sessions-remembered', 'token remembered', {}],
]) {
  const checks = []
  for (const size of SIZES) checks.push(await checkAfter(size, options))
  const without = ours(options)
  report(id, {
    title: `A session check beside sessions that were ended: ${title}`,
    note: `Limit: the same check where sessions cannot be ended. Bytes per end: ${[...held].map(([size, bytes]) => `${bytes} with ${size.toLocaleString('en')}`).join(', ')}.`,
    rows: await measure(
      [
        { name: 'sessions cannot be ended', run: () => without.getSession(visitor.request()) },
        ...checks,
      ],
      quick,
    ),
    columns: timeColumns,
    bars: timeBars,
  })
}

async function checkAfter(size, options) {
  const before = memory()
  const revocations = () =>
    Array.from({ length: size }, (_, n) => ({
      key: `s:${n.toString(16).padStart(32, '0')}`,
      generation: null,
      until: new Date(Date.now() + 30 * DAY),
    }))
  let isLoaded = false
  const log = {
    end: async () => [],
    find: async () => [],
    async since() {
      const found = isLoaded ? [] : revocations()
      isLoaded = true
      return { revocations: found, now: new Date() }
    },
  }
  const auth = ours({ ...options, session: { strategy: 'jwt', revocation: { log } } })
  if (!(await auth.getSession(visitor.request()))) throw new Error('nobody')
  if (size > 0) held.set(size, Math.round((memory() - before) / size))
  return mark(`${size.toLocaleString('en')} ended`, () => auth.getSession(visitor.request()))
}

function memory() {
  collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
