// Where the time of an Express route goes that reads a session: a profile of the server, by what its
// functions belong to, beside one of the bare route, which is the same whoever is measured.
//
// BEFORE=<folder>  a clone of an earlier commit, built, with the files of bench/servers and bench/lib
//                  of this one: what was there before stands beside what is there now, in a table
//                  of its own, which runs without it leave alone.
import { execFileSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { expectParts, progress } from './lib/progress.mjs'
import { report } from './lib/report.mjs'
import { connectTo, profileWhile, startServers } from './lib/servers.mjs'

const SECONDS = Number(process.env.SECONDS ?? 3)
const WARM_UP_SECONDS = 3
const OPENED = 'SiteAuth getSession, every token opened'
const RECUR = 'SiteAuth getSession, tokens recur'

/** Native functions, which have no address. */
const CRYPTO = new Set([
  'oneShotDigest',
  'update',
  'timingSafeEqual',
  'digest',
  'Hmac',
  'base64urlWrite',
])

const { BEFORE } = process.env
expectParts(BEFORE ? 4 : 3)
const columns = {
  bare: await profile(startServers, RECUR, '/bare'),
  ...(BEFORE && { 'opened, before': await profile(await startersOf(BEFORE), OPENED, '/') }),
  opened: await profile(startServers, OPENED, '/'),
  recurring: await profile(startServers, RECUR, '/'),
}
const places = [...new Set(Object.values(columns).flatMap(times => [...times.keys()]))]
const rows = places.map(name => ({ name, ...mapValues(columns, times => times.get(name) ?? 0) }))
const total = { name: 'all of it', ...mapValues(columns, times => sum([...times.values()])) }
report(BEFORE ? 'profile-before-after' : 'profile', {
  title: 'Where the time of a request goes, in microseconds',
  note: `Self time of functions, by what they belong to, sampled for ${SECONDS} seconds on an Express route: bare; one that opens the token of each request; one that remembers tokens. ${BEFORE ? `"Before" is commit ${commitOf(BEFORE)}. ` : ''}The sampling itself is in all of it. A function that the compiler has put into another counts as the other, so single rows shift between processes: the sum is what to compare.`,
  rows: [total, ...rows.sort((left, right) => extra(right) - extra(left))],
  columns: Object.keys(columns).map(key => [key, row => row[key].toFixed(1)]),
})

/** How much more something costs where tokens are opened than on the bare route. */
function extra(row) {
  return row.opened - row.bare
}

function commitOf(folder) {
  const args = ['-C', folder, 'rev-parse', '--short', 'HEAD']
  return execFileSync('git', args, { encoding: 'utf8' }).trim()
}

async function startersOf(folder) {
  return (await import(pathToFileURL(`${folder}/bench/lib/servers.mjs`).href)).startServers
}

async function profile(start, name, path) {
  const [server] = await start('express.mjs', [name])
  const connections = await connectTo(server, path)
  await connections.visit(WARM_UP_SECONDS)
  let visited
  const found = await profileWhile(server, async () => {
    visited = await connections.visit(SECONDS)
  })
  connections.close()
  server.child.kill()
  progress(1)
  return summarise(found, visited.requests)
}

/** Microseconds of one request, by place. */
function summarise({ nodes, samples, timeDeltas }, requests) {
  const placeOf = new Map(nodes.map(({ id, callFrame }) => [id, place(callFrame)]))
  const times = new Map()
  for (const [index, id] of samples.entries()) {
    const where = placeOf.get(id)
    if (where) times.set(where, (times.get(where) ?? 0) + timeDeltas[index] / requests)
  }
  return times
}

function place({ functionName, url }) {
  if (functionName === '(idle)' || functionName === '(root)') return null
  if (functionName === '(garbage collector)') return 'garbage collection'
  if (functionName === 'writev' || functionName === 'writeUtf8String') return 'writing to sockets'
  if (CRYPTO.has(functionName) || url.startsWith('node:internal/crypto')) return 'cryptography'
  if (url === '') return 'V8 and native code of Node'
  if (url.startsWith('node:')) return "Node's own JavaScript, HTTP above all"
  if (/node_modules\/(?!@siteauth)/.test(url)) return 'Express and what it depends on'
  const [, own] = /packages\/([^/]+)\/(?:dist|src)\//.exec(url) ?? []
  return own ? `@siteauth/${own}` : 'the route'
}

function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
}

function sum(numbers) {
  return numbers.reduce((total, each) => total + each, 0)
}
