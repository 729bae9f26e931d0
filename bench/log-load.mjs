// Whether a process that starts beside a long log of ended sessions works at once, how long it reads, how much memory it takes, and
// whether reading keeps it from anything else. Each limit that is missed fails the run.
//
// npm run bench -- log-load
// ENTRIES=20000 LARGE=50000 STORES=memory,PostgreSQL npm run bench -- log-load
import { fork } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createAuth } from '@siteauth/core'
import { prepareServices, SERVICES } from '../tools/services.mjs'
import { commitText } from './lib/commit.mjs'
import { adapterOf, createLog } from './lib/logs.mjs'
import { expectParts, progress } from './lib/progress.mjs'
import { report } from './lib/report.mjs'
import { simulatedLog } from './lib/simulated-log.mjs'
import { config } from './lib/site.mjs'

const ENTRIES = Number(process.env.ENTRIES ?? 1_000_000)
const LARGE = Number(process.env.LARGE ?? 5_000_000)
const STORES = (process.env.STORES ?? 'memory,PostgreSQL,MariaDB,SQLite,Redis').split(',')
/** Those that are measured with the larger log as well. */
const WITH_LARGE = ['memory', 'PostgreSQL']

/** Sessions that are checked while the log is read, at its end, and afterwards; and those that were ended. */
const [WHILE, PROBES, LATER, ENDED] = [1000, 1500, 2000, 100]
/** How many sign in at once. */
const AT_ONCE = 50
const MEGABYTE = 2 ** 20
const scale = size => Math.max(1, size / 1_000_000)

/** What is shown, and what it may be at most. */
const LIMITS = [
  ['first check, ms', ({ answered }) => answered, () => 1000],
  ['complete, s', ({ complete }) => complete / 1000, size => 30 * scale(size)],
  ['RSS at most, + MB', ({ peak }) => peak / MEGABYTE, size => 100 * scale(size)],
  ['longest pause, CPU ms', ({ longest }) => longest, () => 50],
  ['checks that ask the store, %', ({ asked }) => asked * 100, () => 0.5],
]
const SHOWN = [
  ['complete, CPU s', ({ cpu }) => cpu / 1000],
  ['RSS afterwards, + MB', ({ held }) => held / MEGABYTE],
  ['longest pause, ms', ({ longestByClock }) => longestByClock],
  ['a check while it reads, ms', ({ whileRead }) => whileRead.median],
  ['p99', ({ whileRead }) => whileRead.p99],
]

const wanted = name => Object.keys(SERVICES).includes(name)
const services = Object.fromEntries(STORES.filter(wanted).map(name => [name, SERVICES[name]]))
const { variables, missing, stop } = await prepareServices(services)
for (const sentence of missing) console.error(sentence)
const isThere = name => !wanted(name) || variables[SERVICES[name].variable]
const stores = STORES.filter(isThere)

expectParts(stores.length)
const rows = []
for (const store of stores) {
  for (const row of await measureStore(store)) rows.push(row)
  progress(1)
}
await stop()

const missed = rows.flatMap(({ name, size, result }) =>
  LIMITS.flatMap(([what, read, limitOf]) => {
    const [value, limit] = [read(result), limitOf(size)]
    return value <= limit ? [] : [`${name}: ${what} is ${value.toFixed(1)}, at most ${limit}.`]
  }),
)
report('log-load', {
  title: 'A process that starts beside a log of ended sessions',
  note: [
    `A fresh process, with a check every 5 ms while it reads; ${LATER} others afterwards. Limits with a million entries:`,
    `${LIMITS.map(([what, , limitOf]) => `${what} ${limitOf(0)}`).join('; ')}. With more, the time until it is complete and the`,
    'memory may grow as the log does. RSS: beside that of a process with an empty log. "CPU ms": the shorter of the pause by the clock and the CPU time of all threads of the process in it,',
    `since other processes run on this machine. ${missed.length === 0 ? 'No limit was missed.' : `Missed: ${missed.join(' ')}`} ${commitText()}`,
  ].join(' '),
  rows,
  columns: [...LIMITS, ...SHOWN].map(([heading, read]) => [
    heading,
    ({ result }) => read(result).toFixed(heading.endsWith('%') ? 2 : 1),
  ]),
})
for (const sentence of missed) console.error(`Missed: ${sentence}`)
process.exit(missed.length > 0 || missing.length > 0 ? 1 : 0)

async function measureStore(store) {
  const { place, fill, remove } =
    store === 'memory'
      ? { place: null, fill: async () => {}, remove: () => {} }
      : await createLog(store, variables[SERVICES[store]?.variable])
  const folder = mkdtempSync(join(tmpdir(), 'siteauth-bench-'))
  const file = join(folder, 'sessions.json')
  const measured = []
  try {
    writeFileSync(file, JSON.stringify(await beginSessions(store, place)))
    // What any process needs for its first check is not what it holds of the log.
    const { peak, held } = await runApart({ store, place, size: 0, file })
    let filled = 0
    for (const size of WITH_LARGE.includes(store) ? [ENTRIES, LARGE] : [ENTRIES]) {
      await fill(filled, size)
      filled = size
      const measuredApart = await runApart({ store, place, size, file })
      const result = {
        ...measuredApart,
        peak: measuredApart.peak - peak,
        held: measuredApart.held - held,
      }
      const name = `${store}, ${size.toLocaleString('en')} entries`
      console.error(`${name}: ${JSON.stringify(result)}`)
      measured.push({ name, size, result, ours: true })
    }
  } finally {
    rmSync(folder, { recursive: true })
    await remove()
  }
  return measured
}

/** Sessions of an application with this log, some of which were ended. */
async function beginSessions(store, place) {
  const adapter =
    store === 'memory' ? { revocations: simulatedLog(0, []) } : adapterOf(store, place)
  const entries = []
  const log = {
    ...adapter.revocations,
    async end(requested) {
      const written = await adapter.revocations.end(requested)
      entries.push(...written)
      return written
    },
  }
  const password = {
    id: 'password',
    name: 'Password',
    type: 'credentials',
    credentials: {},
    authorize: ({ id }) => ({ id: String(id), name: String(id) }),
  }
  const auth = createAuth(
    { ...config, providers: [password], session: { strategy: 'jwt', revocation: { log } } },
    { env: {} },
  )
  const url = 'http://localhost/'
  const signIn = async id => {
    const request = { headers: {}, url }
    await auth.signIn(request, 'password', { id })
    return auth
      .takeSetCookies(request)
      .map(line => line.split(';', 1)[0])
      .filter(cookie => cookie.includes('session-token'))
      .join('; ')
  }
  const cookies = []
  while (cookies.length < 1 + WHILE + PROBES + LATER + ENDED) {
    const ids = Array.from({ length: AT_ONCE }, (_, index) => `user-${cookies.length + index}`)
    cookies.push(...(await Promise.all(ids.map(signIn))))
  }
  const [first, ...others] = cookies
  const ended = others.splice(0, ENDED)
  for (const cookie of ended) await auth.signOut({ headers: { cookie }, url })
  await adapter.close?.()
  const [live, probes] = [others.splice(0, WHILE), others.splice(0, PROBES)]
  return { first, live, probes, later: others.splice(0, LATER), ended, entries }
}

function runApart(setting) {
  const script = fileURLToPath(new URL('./servers/log-load.mjs', import.meta.url))
  return new Promise((resolve, reject) => {
    const env = { ...process.env, NODE_ENV: 'production' }
    const child = fork(script, [JSON.stringify(setting)], { env })
    child.once('message', resolve)
    child.once('exit', status => reject(new Error(`A process ended with ${status}.`)))
  })
}
