// What it costs to look whether a session was ended, by how many others were. The limit is the same check
// without looking. Memory is what the process holds for each end.
//
// The differences are smaller than those between two runs of the same program, which the compiler's
// choices make. So each size is measured in several processes, in short rounds, beside the limit; and the
// limit beside itself, which says how much of the result is chance.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { quantile, sample, summarise } from './lib/measure.mjs'
import { expectParts, progress } from './lib/progress.mjs'
import { report, timeBars, timeColumns } from './lib/report.mjs'
import { ours } from './lib/session-contenders.mjs'
import { visitorWith } from './lib/visitor.mjs'

const SIZES = [0, 1000, 100_000, 1_000_000, 5_000_000]
/** As our adapters read a log. */
const PAGE = 2000
const DAY = 24 * 60 * 60 * 1000
const RUNS = process.env.QUICK ? 1 : 5
const rounds = process.env.QUICK ? { rounds: 3 } : { rounds: 101, roundMs: 5 }
const kinds = [
  { id: 'ended-sessions', title: 'every token opened', options: { jwt: { cacheBytes: 0 } } },
  { id: 'ended-sessions-remembered', title: 'token remembered', options: {} },
]

const [askedKind, askedSize] = process.argv.slice(2)
if (askedKind)
  process.send(
    await run(
      kinds.find(({ id }) => id === askedKind),
      Number(askedSize),
    ),
  )
else await runAll()

async function runAll() {
  expectParts(kinds.length)
  for (const kind of kinds) {
    const runs = []
    for (const [at, size] of SIZES.entries()) {
      const ofSize = []
      while (ofSize.length < RUNS) {
        ofSize.push(await runApart(kind, size))
        progress((at + ofSize.length / RUNS) / SIZES.length)
      }
      runs.push({ size, bytes: median(ofSize.map(each => each.bytes)), rows: joined(ofSize) })
    }
    const [limit] = runs[0].rows
    const bytes = runs
      .filter(({ size }) => size >= 100_000) // of fewer, it is lost in what else is allocated
      .map(each => `${each.bytes} with ${each.size.toLocaleString('en')}`)
      .join(', ')
    report(kind.id, {
      title: `A session check beside sessions that were ended: ${kind.title}`,
      note: `Limit: the same check where sessions cannot be ended, measured beside each. ${RUNS} processes for each size. Bytes per end: ${bytes}.`,
      rows: [limit, ...runs[0].rows.slice(1, 2), ...runs.map(({ rows }) => rows.at(-1))],
      columns: timeColumns,
      bars: timeBars,
    })
  }
}

/** Several runs as one. */
function joined(runs) {
  const [{ contenders }] = runs
  const samples = contenders.map((_, index) => runs.flatMap(run => run.samples[index]))
  return summarise(contenders, samples)
}

function median(numbers) {
  return quantile(numbers, 0.5)
}

function runApart({ id }, size) {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(import.meta.url), [id, size])
    child.on('message', message => message.samples && resolve(message)) // and not how far it is
    child.once('error', reject)
    child.once('exit', status => reject(new Error(`A run ended with ${status}.`)))
  })
}

async function run({ options }, size) {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc')
  const visitor = await visitorWith(410)
  const check = (name, auth) => ({ name, run: () => auth.getSession(visitor.request()) })
  // What is loaded at first use is not held for what was ended.
  const first = ours({ ...options, session: { revocation: { log: logOf(0) } } })
  await first.getSession(visitor.request())
  const before = memory()
  const log = logOf(size)
  const ending = ours({ ...options, session: { revocation: { log } } })
  if (!(await ending.getSession(visitor.request()))) throw new Error('nobody')
  await log.loaded
  const bytes = size > 0 ? Math.round((memory() - before) / size) : 0
  const contenders = [
    check('sessions cannot be ended', ours(options)),
    check('the same, once more', ours(options)),
    { ...check(`${size.toLocaleString('en')} ended`, ending), ours: true },
  ]
  const samples = await sample(contenders, rounds)
  return { contenders: contenders.map(({ name, ours }) => ({ name, ours })), samples, bytes }

  function memory() {
    collectGarbage()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return heapUsed + arrayBuffers
  }
}

/** A log of so many ended sessions. Resolves `loaded` when a process has read all of it. */
function logOf(size) {
  const entry = n => ({
    key: `s:${n.toString(16).padStart(32, '0')}`,
    generation: null,
    until: new Date(Date.now() + 30 * DAY),
  })
  let finish = () => {}
  const loaded = new Promise(resolve => {
    finish = resolve
  })
  let isLast = false
  return {
    loaded,
    end: async () => [],
    find: async () => [],
    async page(cursor) {
      const from = Number(cursor ?? 0)
      const count = Math.min(PAGE, size - from)
      isLast = from + count >= size
      if (isLast && cursor === null) finish()
      return {
        revocations: Array.from({ length: count }, (_, index) => entry(from + index)),
        now: new Date(),
        next: isLast ? null : String(from + count),
      }
    },
    async since() {
      if (isLast) finish()
      return { revocations: [], now: new Date() }
    },
  }
}
