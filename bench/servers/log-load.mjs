// A process that starts beside a log of ended sessions: what its first checks wait for, until it has read all of it.
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createAuth } from '@siteauth/core'
import { adapterOf } from '../lib/logs.mjs'
import { quantile } from '../lib/measure.mjs'
import { watchPauses } from '../lib/pauses.mjs'
import { simulatedLog } from '../lib/simulated-log.mjs'
import { config } from '../lib/site.mjs'

const { store, place, size, file } = JSON.parse(process.argv[2])
/** While the log is read, a check comes so often, in milliseconds. */
const EVERY = 5
/** Of so many checks while it is read, one is of a session that was ended. */
const ONE_ENDED_IN = 10
/** For so long the polls that follow are watched as well, in milliseconds. */
const AFTERWARDS = 15_000

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')
const { first, live, probes, later, ended, entries } = JSON.parse(readFileSync(file, 'utf8'))
const adapter =
  store === 'memory' ? { revocations: simulatedLog(size, entries) } : adapterOf(store, place)
const asked = { find: 0, isLastRead: false }
const auth = createAuth(
  { ...config, session: { strategy: 'jwt', revocation: { log: counted(adapter.revocations) } } },
  { env: {} },
)

collectGarbage()
const before = process.memoryUsage().rss
let peak = before
const memory = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage().rss)
}, 20)
const endPauses = watchPauses()

const begun = performance.now()
const cpuBefore = process.cpuUsage()
const isIn = await check(first)
const result = { answered: performance.now() - begun, sinceStart: performance.now() }
if (!isIn) throw new Error('The first check did not find the session.')
result.whileRead = await checkUntilComplete()
result.complete = performance.now() - begun
const { user, system } = process.cpuUsage(cpuBefore)
result.cpu = (user + system) / 1000
result.asked = (await askedFor(later)) / later.length
for (const cookie of ended) await expectEnded(cookie)
await pause(AFTERWARDS)
for (const cookie of ended) await expectEnded(cookie)
const { longest, longestByClock } = endPauses()
clearInterval(memory)
collectGarbage()
const { rss } = process.memoryUsage()
process.send({ ...result, longest, longestByClock, peak: peak - before, held: rss - before })
process.exit()

async function checkUntilComplete() {
  const times = []
  for (let count = 0; ; count++) {
    const askedBefore = asked.find
    // A session whose status the store has returned is not asked for again: what tells that all was read are others.
    const cookie = asked.isLastRead ? probes.pop() : live[count % live.length]
    if (!cookie) throw new Error('The log was not complete long after its last page.')
    const started = performance.now()
    if (!(await check(cookie))) throw new Error('A session that was not ended was refused.')
    times.push(performance.now() - started)
    if (asked.isLastRead && asked.find === askedBefore) break
    if (count % ONE_ENDED_IN === 0) await expectEnded(ended[count % ended.length])
    await pause(EVERY)
  }
  return {
    checks: times.length,
    median: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    longest: Math.max(...times),
  }
}

async function askedFor(cookies) {
  const askedBefore = asked.find
  for (const [index, cookie] of cookies.entries()) {
    if (!(await check(cookie))) throw new Error('A session that was not ended was refused.')
    if (index % 100 === 0) await pause(1)
  }
  return asked.find - askedBefore
}

async function expectEnded(cookie) {
  if (await check(cookie)) throw new Error('A session that was ended was accepted.')
}

async function check(cookie) {
  return (await auth.getSession({ headers: { cookie }, url: 'http://localhost/' })) !== null
}

/** The same log, with what it is asked for counted. */
function counted(log) {
  return {
    ...log,
    find(keys) {
      asked.find++
      return log.find(keys)
    },
    async page(cursor) {
      const page = await log.page(cursor)
      asked.isLastRead ||= page.next === null
      return page
    },
  }
}
