// One process of several that share a log of ended sessions: ends its part of some sessions by the schedule, and tells when it has
// refused each of a sample. See ../fleet.mjs.
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { createAuth } from '@siteauth/core'
import { adapterOf } from '../lib/logs.mjs'
import { config } from '../lib/site.mjs'

const { store, place, file, own, processes, rate, total, sample, quiet } = JSON.parse(
  process.argv[2],
)
/** How often a session of the sample is asked for until it is refused, in milliseconds. */
const EVERY = 5
/** How many sessions are being ended at once, at most. */
const AT_ONCE = 50

const cookies = readFileSync(file, 'utf8').split('\n')
const adapter = adapterOf(store, place)
const auth = createAuth(
  { ...config, session: { strategy: 'jwt', revocation: { log: adapter.revocations } } },
  { env: {} },
)
const requestOf = n => ({ headers: { cookie: cookies[n] }, url: 'http://localhost/' })
const isIn = async n => (await auth.getSession(requestOf(n))) !== null
const now = () => performance.timeOrigin + performance.now()

const orders = { run, verify }
process.on('message', async ([name, ...args]) => process.send([name, await orders[name](...args)]))
process.on('disconnect', () => process.exit())
if (!(await isIn(cookies.length - 1))) throw new Error('A session that was not ended is refused.')
process.send(['ready'])

/** @param begin when the first session is ended */
async function run(begin) {
  const dueAt = n => begin + (n * 1000) / rate
  const isQuiet = n =>
    quiet.some(({ process: index, from, to }) => {
      const at = dueAt(n) - begin
      return n % processes === index && at >= from && at < to
    })
  const refused = []
  let failed = 0
  await Promise.all([endAll(), watchSample()])
  return { refused, failed }

  async function endAll() {
    const running = new Set()
    let unsent = []
    // A process may be killed.
    const flushing = setInterval(flush, 100)
    for (let n = own; n < total && own < processes; n += processes) {
      if (isQuiet(n)) continue
      const wait = dueAt(n) - now()
      if (wait > 0) await pause(wait)
      if (now() > dueAt(total) + 1000) break // it cannot keep up
      while (running.size >= AT_ONCE) await Promise.race(running)
      const ending = end(n).finally(() => running.delete(ending))
      running.add(ending)
    }
    await Promise.all(running)
    clearInterval(flushing)
    flush()

    async function end(n) {
      try {
        await auth.signOut(requestOf(n))
        unsent.push([n, now()])
      } catch {
        failed++
      }
    }

    function flush() {
      process.send(['ended', unsent])
      unsent = []
    }
  }

  async function watchSample() {
    const watched = new Set()
    let next = 0
    const until = dueAt(total) + 20_000
    for (;;) {
      const time = now()
      for (; next < total && dueAt(next) <= time; next += sample)
        if (!isQuiet(next)) watched.add(next)
      for (const n of watched) {
        if (await isIn(n).catch(() => true)) continue
        watched.delete(n)
        refused.push([n, now()])
      }
      if ((next >= total && watched.size === 0) || time > until) return
      await pause(EVERY)
    }
  }
}

/** The sessions among these that this process accepts though they were ended. */
async function verify(listed) {
  const accepted = []
  for (const n of JSON.parse(readFileSync(listed, 'utf8'))) if (await isIn(n)) accepted.push(n)
  return accepted
}
