// Ten processes that end a thousand sessions a second for a minute: how long each ended session is still accepted anywhere, what that
// costs the store, and whether any is lost, while one process is killed and another one loses its network for a time.
//
// npm run bench -- fleet
// RATE=200 SECONDS=10 STORES=PostgreSQL npm run bench -- fleet
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { MemoryAdapter } from '@siteauth/adapters/memory'
import { createAuth } from '@siteauth/core'
import { prepareServices, SERVICES } from '../tools/services.mjs'
import { commitText } from './lib/commit.mjs'
import { createLog } from './lib/logs.mjs'
import { quantile } from './lib/measure.mjs'
import { expectParts, progress } from './lib/progress.mjs'
import { openProxy } from './lib/proxy.mjs'
import { report } from './lib/report.mjs'
import { config } from './lib/site.mjs'
import { watchLoad } from './lib/store-load.mjs'

const PROCESSES = Number(process.env.PROCESSES ?? 10)
const RATE = Number(process.env.RATE ?? 1000)
const SECONDS = Number(process.env.SECONDS ?? 60)
const STORES = (process.env.STORES ?? 'PostgreSQL,Redis').split(',')
/** Of so many sessions, one is asked for everywhere until it is refused, whichever process ends it. All are looked at in the end. */
const SAMPLE = 21

const TOTAL = RATE * SECONDS
const MS = SECONDS * 1000
/** The first process is killed, and replaced by one that has to read the log. */
const KILLED = { index: 0, at: MS / 3 }
/** The second one loses its network, and has it back. It ends no session meanwhile. */
const CUT = { index: 1, from: MS * 0.4, to: MS * 0.65 }

const services = Object.fromEntries(STORES.map(name => [name, SERVICES[name]]))
const { variables, missing, stop } = await prepareServices(services)
for (const sentence of missing) console.error(sentence)
const folder = mkdtempSync(join(tmpdir(), 'siteauth-bench-'))
const file = join(folder, 'cookies')
writeFileSync(file, (await beginSessions(TOTAL + 1)).join('\n'))

expectParts(STORES.length)
const rows = []
for (const store of STORES.filter(name => variables[SERVICES[name].variable])) {
  rows.push({ name: store, ours: true, ...(await measureStore(store)) })
  console.error(JSON.stringify(rows.at(-1)))
  progress(1)
}
await stop()
rmSync(folder, { recursive: true })

const meant = meantSessions()
const missed = rows.flatMap(({ name, accepted, ended }) => [
  ...(accepted > 0
    ? [`${name}: ${accepted} sessions that were ended are accepted somewhere.`]
    : []),
  ...(ended < 0.95 * meant ? [`${name}: ${ended} sessions were ended instead of ${meant}.`] : []),
])
report('fleet', {
  title: 'Sessions that are ended by several processes',
  note: [
    `${PROCESSES} processes on one machine, ${RATE} sessions to end per second for ${SECONDS} s. Delays are from the response to the sign-out`,
    `until every process refuses the session, asked for every 5 ms, of one session in ${SAMPLE}. After ${seconds(KILLED.at)} one process is killed`,
    `and replaced; from ${seconds(CUT.from)} to ${seconds(CUT.to)} another one has no network: its delays are apart, from when it has it back, and it`,
    `ends no session meanwhile. "Accepted in the end": of all that were ended, in any of the processes and in the one that has replaced the`,
    `first. Load of the store: what it did while sessions were ended, its CPU time in seconds per second.`,
    `${missed.length === 0 ? '' : `Missed: ${missed.join(' ')} `}The load of the machine was ${loadavg()[1].toFixed(1)}. ${commitText()}`,
  ].join(' '),
  rows,
  columns: [
    ['ended', ({ ended }) => String(ended)],
    [`of`, () => String(meant)],
    ['failed', ({ failed }) => String(failed)],
    ['ms until refused everywhere, p50', ({ delays }) => quantile(delays, 0.5).toFixed(0)],
    ['p99', ({ delays }) => quantile(delays, 0.99).toFixed(0)],
    ['longest', ({ delays }) => Math.max(...delays).toFixed(0)],
    ['s until the one without a network refuses', ({ afterCut }) => (afterCut / 1000).toFixed(1)],
    ['accepted in the end', ({ accepted }) => String(accepted)],
    ['statements per second', ({ statements }) => statements.toFixed(0)],
    ['CPU of the store', ({ cpu }) => (cpu === null ? '–' : cpu.toFixed(2))],
  ],
})
for (const sentence of missed) console.error(`Missed: ${sentence}`)
process.exit(rows.some(({ accepted }) => accepted > 0) || missing.length > 0 ? 1 : 0)

async function measureStore(store) {
  const { place, remove } = await createLog(store, variables[SERVICES[store].variable])
  const proxy = await openProxy(Number(new URL(place).port))
  const throughProxy = new URL(place)
  throughProxy.port = String(proxy.port)
  const quiet = [
    { process: KILLED.index, from: KILLED.at, to: MS },
    { process: CUT.index, from: CUT.from, to: CUT.to },
  ]
  const shared = {
    store,
    file,
    processes: PROCESSES,
    rate: RATE,
    total: TOTAL,
    sample: SAMPLE,
    quiet,
  }
  const acknowledged = new Map()
  const start = (own, where) => startProcess({ ...shared, place: where, own }, acknowledged)
  const nodes = await Promise.all(
    Array.from({ length: PROCESSES }, (_, own) => {
      return start(own, own === CUT.index ? throughProxy.href : place)
    }),
  )
  const load = await watchLoad(store, place)
  const begin = performance.timeOrigin + performance.now() + 500
  // One of them is killed meanwhile.
  const results = nodes.map(node => node.order('run', begin).catch(() => null))
  await pause(500)
  const before = await load.read()
  const replacing = disturb(nodes, proxy, () => start(PROCESSES, place))
  await pause(MS)
  const after = await load.read()
  const replacement = await replacing
  const done = await Promise.all(results)
  const delays = delaysOf(done, acknowledged, begin)

  const listed = join(folder, 'ended')
  writeFileSync(listed, JSON.stringify([...acknowledged.keys()]))
  const alive = [...nodes.filter((_, own) => own !== KILLED.index), replacement]
  const accepted = new Set(
    (await Promise.all(alive.map(node => node.order('verify', listed)))).flat(),
  )
  for (const { child } of alive) child.disconnect()
  await load.close()
  proxy.close()
  await remove()
  return {
    ...delays,
    ended: acknowledged.size,
    failed: done.reduce((all, result) => all + (result?.failed ?? 0), 0),
    accepted: accepted.size,
    statements: (after.statements - before.statements) / SECONDS,
    cpu: after.cpu === null ? null : (after.cpu - before.cpu) / SECONDS,
  }
}

/** How many sessions are to be ended, without those of processes that are killed or without a network. */
function meantSessions() {
  return Math.round(TOTAL - (TOTAL / PROCESSES) * (1 - KILLED.at / MS + (CUT.to - CUT.from) / MS))
}

async function disturb(nodes, proxy, replace) {
  await pause(KILLED.at)
  nodes[KILLED.index].child.kill('SIGKILL')
  const replacement = replace()
  await pause(CUT.from - KILLED.at)
  proxy.silence()
  await pause(CUT.to - CUT.from)
  proxy.heal()
  return replacement
}

/** Of the sample, how long until the last of the processes has refused a session. */
function delaysOf(done, acknowledged, begin) {
  const last = new Map()
  let afterCut = 0
  for (const [index, result] of done.entries()) {
    if (!result) continue // it was killed
    for (const [n, at] of result.refused) {
      const endedAt = acknowledged.get(n)
      if (endedAt === undefined) continue
      // What the process without a network does not know yet, or could not store.
      const isApart = index === CUT.index || n % PROCESSES === CUT.index
      const isCut = endedAt >= begin + CUT.from - 1000 && endedAt < begin + CUT.to + 1000
      if (isApart && isCut) afterCut = Math.max(afterCut, at - begin - CUT.to)
      else last.set(n, Math.max(last.get(n) ?? 0, at - endedAt))
    }
  }
  return { delays: [...last.values()], afterCut }
}

async function startProcess(setting, acknowledged) {
  const script = fileURLToPath(new URL('./servers/fleet.mjs', import.meta.url))
  const env = { ...process.env, NODE_ENV: 'production' }
  const child = fork(script, [JSON.stringify(setting)], { env })
  const waiting = new Map()
  child.on('message', ([name, value]) => {
    if (name === 'ended') for (const [n, at] of value) acknowledged.set(n, at)
    else {
      waiting.get(name)?.resolve(value)
      waiting.delete(name)
    }
  })
  child.once('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error('The process has ended.'))
  })
  const answer = name =>
    new Promise((resolve, reject) => {
      waiting.set(name, { resolve, reject })
    })
  await Promise.race([
    answer('ready'),
    once(child, 'exit').then(() => {
      throw new Error('A process did not start.')
    }),
  ])
  return {
    child,
    order(name, ...args) {
      const result = answer(name)
      child.send([name, ...args])
      return result
    },
  }
}

/** Sessions in cookies, which any process accepts that has the secret. */
async function beginSessions(count) {
  const password = {
    id: 'password',
    name: 'Password',
    type: 'credentials',
    credentials: {},
    authorize: ({ id }) => ({ id: String(id), name: String(id) }),
  }
  const { revocations: log } = MemoryAdapter()
  const auth = createAuth(
    { ...config, providers: [password], session: { strategy: 'jwt', revocation: { log } } },
    { env: {} },
  )
  const cookies = []
  for (let n = 0; n < count; n++) {
    const request = { headers: {}, url: 'http://localhost/' }
    await auth.signIn(request, 'password', { id: `user-${n}` })
    const lines = auth.takeSetCookies(request).map(line => line.split(';', 1)[0])
    cookies.push(lines.filter(line => line.includes('session-token')).join('; '))
  }
  return cookies
}

function seconds(milliseconds) {
  return `${(milliseconds / 1000).toFixed(0)} s`
}
