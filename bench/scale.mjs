// Whether the work of a statement depends on how many users there are: rows and buffers read, and times, with a thousand, a hundred
// thousand and a million users of three sessions each. A statement that reads more, or scans a table, fails the run.
//
// npm run bench -- scale
// USERS=1000,5000 OTHERS=5000 ROUNDS=5 STORES=PostgreSQL,SQLite,peers npm run bench -- scale
import { CALLS } from '../packages/adapters/test/plans/every-call.mjs'
import { prepareServices, SERVICES } from '../tools/services.mjs'
import { commitText } from './lib/commit.mjs'
import { quantile, shuffled } from './lib/measure.mjs'
import { expectParts, progress } from './lib/progress.mjs'
import { report, tableOf } from './lib/report.mjs'
import { openBetterAuth, openPgAdapter } from './lib/scale-peers.mjs'
import { openMysql, openPostgres, openRedisStore, openSqliteStore } from './lib/scale-stores.mjs'

const USERS = (process.env.USERS ?? '1000,100000,1000000').split(',').map(Number)
/** In the stores that are measured with one size beside the smallest. */
const OTHERS = Number(process.env.OTHERS ?? 100_000)
const ROUNDS = Number(process.env.ROUNDS ?? 61)
const STORES = (process.env.STORES ?? 'PostgreSQL,MariaDB,SQLite,Redis,peers').split(',')

const MAX_TIME_RATIO = 1.5
/** Statements that are not to be compared by time: cleanups, of which only the first has anything to do. */
const UNTIMED = ['deleteExpired']

const needed = { PostgreSQL: ['PostgreSQL', 'peers'], MariaDB: ['MariaDB'], Redis: ['Redis'] }
const services = Object.fromEntries(
  Object.entries(needed)
    .filter(([, users]) => users.some(name => STORES.includes(name)))
    .map(([name]) => [name, SERVICES[name]]),
)
const { variables, missing, stop } = await prepareServices(services)
for (const sentence of missing) console.error(sentence)

const small = USERS[0]
const stores = [
  { name: 'PostgreSQL', variable: 'TEST_POSTGRES_URL', open: openPostgres, sizes: USERS },
  { name: 'MariaDB', variable: 'TEST_MYSQL_URL', open: openMysql, sizes: [small, OTHERS] },
  { name: 'SQLite', open: openSqliteStore, sizes: [small, OTHERS] },
  { name: 'Redis', variable: 'TEST_REDIS_URL', open: openRedisStore, sizes: [small, OTHERS] },
].filter(({ name, variable }) => STORES.includes(name) && (!variable || variables[variable]))

expectParts(stores.length + 1)
const missed = []
const parts = []
for (const { name, variable, open, sizes } of stores) {
  const opened = []
  for (const size of sizes) opened.push(await open(variables[variable], size))
  const methods = Object.keys(CALLS).map(method => ({
    method,
    run: (index, n) => CALLS[method](opened[index].adapter, n),
  }))
  const table = await measureStore(name, opened, sizes, methods)
  parts.push(table)
  console.error(tableOf(table.rows, table.columns))
  for (const { close } of opened) await close()
  progress(1)
}
const peers = STORES.includes('peers') ? await measurePeers() : []
progress(1)
await stop()

report('scale', {
  title: 'What a statement reads, by how many users there are',
  overview: [
    ...parts.map(({ name, rows, columns }) => `## ${name}\n\n${tableOf(rows, columns)}`),
    '## Session checks beside others, in PostgreSQL',
  ].join('\n\n'),
  note: [
    `Each user has three sessions and one of everything else. Rows and buffers of every statement that the method sends, in a call of`,
    `its own; medians of ${ROUNDS} calls in ms, in turn with the other sizes. Limits: as many rows as with ${words(small)} users, two buffers`,
    `more for each search of an index and each entry added to one, five for each search that the plan for fewer users does not have, ${MAX_TIME_RATIO} × the time, and not a scan. Redis: commands, also those of scripts.`,
    `SQLite does not count rows. ${missed.length === 0 ? 'No limit was missed.' : `Missed: ${missed.join(' ')}`} ${commitText()}`,
  ].join(' '),
  rows: peers,
  columns: USERS.flatMap((size, index) => [
    [`rows, ${words(size)}`, ({ found }) => String(found[index].rows)],
    [`buffers`, ({ found }) => String(found[index].buffers)],
    [`ms`, ({ found }) => found[index].time.toFixed(2)],
  ]),
})
for (const sentence of missed) console.error(`Missed: ${sentence}`)
process.exit(missed.length > 0 || missing.length > 0 ? 1 : 0)

async function measureStore(store, opened, sizes, methods) {
  const rows = []
  for (const [at, { method, run }] of methods.entries()) {
    // Users that no call before has changed, in the midst of the table: at its end, pages have room for what is updated.
    const first = small * 0.6 - at * 2
    const statements = []
    for (const [index, { plansOf }] of opened.entries()) {
      statements.push(await plansOf(() => run(index, first)))
    }
    const times = UNTIMED.includes(method) ? null : await timesOf(run, opened.length)
    rows.push(...compare({ store, method, sizes, statements, times }))
    progress((at + 1) / methods.length - 0.001)
  }
  return { name: store, rows, columns: columnsOf(sizes, store) }
}

/** In turn, so that whatever else the machine does hits all sizes alike. */
async function timesOf(run, count) {
  const times = Array.from({ length: count }, () => [])
  for (let round = 0; round < ROUNDS; round++) {
    for (const index of shuffled(count)) {
      const begun = performance.now()
      await run(index, 200 + round)
      times[index].push(performance.now() - begun)
    }
  }
  return times.map(each => quantile(each, 0.5))
}

function compare({ store, method, sizes, statements, times }) {
  const [base, ...larger] = statements
  const rows = base.map((statement, at) => {
    const found = statements.map(each => each.find(({ sql }) => sql === statement.sql))
    for (const [index, other] of found.entries()) {
      const what = `${store}, ${method}, ${words(sizes[index])} users: ${statement.name}`
      if (!other) missed.push(`${what}: was not sent.`)
      else if (other.scans.length > 0) missed.push(`${what}: scans ${other.scans}.`)
      else if (other.rows > Math.max(statement.rows, 1)) {
        missed.push(`${what}: reads ${other.rows} rows instead of ${statement.rows}.`)
      } else if (other.buffers > mostBuffers(statement, other)) {
        missed.push(`${what}: reads ${other.buffers} buffers instead of ${statement.buffers}.`)
      }
    }
    return {
      name: at === 0 ? method : '',
      ours: at === 0,
      statement,
      found,
      times: at === 0 && times,
    }
  })
  for (const [index] of larger.entries()) {
    const ratio = times ? times[index + 1] / times[0] : 0
    if (ratio > MAX_TIME_RATIO) {
      missed.push(
        `${store}, ${method}, ${words(sizes[index + 1])} users: ${ratio.toFixed(2)} × the time.`,
      )
    }
  }
  return rows
}

/** A plan for a larger table may search for each row what the other reads at once: a deep index, and the row. */
function mostBuffers(statement, { searches, more }) {
  return statement.buffers + more + 5 * Math.max(0, searches - statement.searches)
}

function columnsOf(sizes, store) {
  const list = of => row => sizes.map((_, index) => of(row, index)).join(', ')
  const counts = list(({ found }, index) => found[index]?.rows ?? '–')
  return [
    [
      `statement, with ${sizes.map(words).join(', ')} users`,
      ({ statement }) => `\`${statement.name}\``,
    ],
    ...(store === 'SQLite' ? [] : [[store === 'Redis' ? 'commands' : 'rows', counts]]),
    ...(store === 'PostgreSQL'
      ? [['buffers', list(({ found }, index) => found[index]?.buffers ?? '–')]]
      : []),
    ['scans', ({ found }) => String(found.some(each => each?.scans.length > 0) ? 'yes' : 'none')],
    ['ms', ({ times }) => (times ? times.map(time => time.toFixed(2)).join(', ') : '')],
    ['× the first', ({ times }) => (times ? (times.at(-1) / times[0]).toFixed(2) : '')],
  ]
}

/** All of them with the same number of users at the same time, in turn. */
async function measurePeers() {
  const url = variables.TEST_POSTGRES_URL
  if (!url) return []
  const rows = new Map()
  for (const size of USERS) {
    const ours = await openPostgres(url, size)
    const contenders = {
      SiteAuth: {
        ...ours,
        calls: {
          'session check': n => CALLS.getSessionAndUser(ours.adapter, n),
          'sessions of a user': n => ours.adapter.listSessions(`user-${n}`, 100),
        },
      },
      'Better Auth': await openBetterAuth(url, size),
      '@auth/pg-adapter, with an index': await openPgAdapter(url, size, true),
      '@auth/pg-adapter, as documented': await openPgAdapter(url, size, false),
    }
    const calls = Object.entries(contenders).flatMap(([name, { calls, plansOf }]) =>
      Object.entries(calls).map(([what, call]) => ({ name: `${name}, ${what}`, call, plansOf })),
    )
    const statements = []
    for (const { call, plansOf } of calls) statements.push(await plansOf(() => call(300)))
    const times = await timesOf((index, n) => calls[index].call(n), calls.length)
    for (const [index, { name }] of calls.entries()) {
      const sum = what => statements[index].reduce((all, each) => all + each[what], 0)
      const found = { rows: sum('rows'), buffers: sum('buffers'), time: times[index] }
      rows.set(name, [...(rows.get(name) ?? []), found])
    }
    for (const { close } of Object.values(contenders)) await close()
  }
  return [...rows].map(([name, found]) => ({ name, found, ours: name.startsWith('SiteAuth') }))
}

function words(size) {
  return size.toLocaleString('en')
}
