// Where the time of an Express route goes that reads a session: a profile of the server, by what its
// functions belong to.
import autocannon from 'autocannon'
import { report } from './lib/report.mjs'
import { load, profileWhile, startServers } from './lib/servers.mjs'

const REQUESTS = Number(process.env.REQUESTS ?? 12_000)
const contenders = {
  bare: 'bare',
  opened: 'SiteAuth getSession, every token opened',
  recur: 'SiteAuth getSession, tokens recur',
}
const parts = {}
for (const [key, name] of Object.entries(contenders)) parts[key] = await profile(name)

const places = [...new Set(Object.values(parts).flatMap(part => [...part.keys()]))]
const rows = places
  .map(place => ({ name: place, ...mapValues(parts, part => part.get(place) ?? 0) }))
  .sort((left, right) => right.opened - left.opened)
  .slice(0, 30)
const total = { name: 'all of it', ...mapValues(parts, part => sum([...part.values()])) }
report('profile', {
  title: 'Where the time of a request goes, in microseconds',
  note: `Self time of functions by module, sampled over ${REQUESTS} requests. The sampling itself is in all of it.`,
  rows: [total, ...rows],
  columns: Object.keys(contenders).map(key => [contenders[key], row => row[key].toFixed(1)]),
})

async function profile(name) {
  const [server] = await startServers('express.mjs', [name])
  await load(server, server.requests, 2)
  const amount = { amount: REQUESTS, requests: server.requests, url: server.origin }
  const found = await profileWhile(server, () =>
    autocannon({ ...amount, connections: 32, timeout: 60 }),
  )
  server.child.kill()
  return summarise(found)
}

/** Microseconds of one request, by place. */
function summarise({ nodes, samples, timeDeltas }) {
  const placeOf = new Map(nodes.map(({ id, callFrame }) => [id, place(callFrame)]))
  const times = new Map()
  for (const [index, id] of samples.entries()) {
    const where = placeOf.get(id)
    if (where) times.set(where, (times.get(where) ?? 0) + timeDeltas[index] / REQUESTS)
  }
  return times
}

function place({ functionName, url }) {
  if (functionName === '(idle)' || functionName === '(root)') return null
  if (url === '') return functionName.startsWith('(') ? functionName : `native ${functionName}`
  if (url.startsWith('node:')) return url
  const inPackage = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]
  if (inPackage) return inPackage
  const own = /packages\/([^/]+)\/dist\/(.*)\.js$/.exec(url)
  return own ? `@siteauth/${own[1]} ${functionName || own[2]}` : 'the application'
}

function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
}

function sum(numbers) {
  return numbers.reduce((total, each) => total + each, 0)
}
