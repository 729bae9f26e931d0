// Requests per second of a route that knows who is signed in, as a ratio of one that does not look.
//
// Each contender has processes of its own, and each of these a twin that is asked for the bare route: in
// one process the two would share what the compiler knows, and pay for each other. The two are visited
// equally long, in turns, in random order, when they have run for a while. No two processes are compiled
// alike, so those whose differences are small get several pairs. Only one pair is up at a time; the load
// comes from this process, which is idle for most of the time (the server is not).
//
// Beside it stands the same ratio of the time that the server computes for one request, which depends
// less on what else the machine does.
import { quantile } from './measure.mjs'
import { expectParts, progress } from './progress.mjs'
import { connectTo, cpuTime, startServers } from './servers.mjs'

const [rounds, seconds] = [Number(process.env.ROUNDS ?? 5), Number(process.env.SECONDS ?? 0.45)]
const WARM_UP_SECONDS = 2

/**
 * Visits each contender and its twin, one after the other.
 *
 * @param script of `servers/`, with the contenders under their names at `/` and the bare route at `/bare`
 * @param contenders each with a `name`, maybe a `goal`, and how many `pairs` of processes it gets
 */
export async function compareRoutes(script, contenders) {
  expectParts(countPairs(contenders))
  return comparePairs(contenders, async ({ name }) => {
    const [server, twin] = await startServers(script, [name, name])
    return {
      own: { child: server.child, connections: await connectTo(server, '/') },
      bare: { child: twin.child, connections: await connectTo(twin, '/bare') },
    }
  })
}

/**
 * The same, of whatever can be started.
 *
 * @param startPair for a contender: its own process and the bare one, each a `child` with `connections` to it
 */
export async function comparePairs(contenders, startPair) {
  const rows = []
  for (const contender of contenders) {
    const { name, goal, pairs = 1 } = contender
    const samples = []
    for (let pair = 0; pair < pairs; pair++) {
      samples.push(...(await comparePair(await startPair(contender))))
      progress(1)
    }
    rows.push({ name, goal, ours: name.startsWith('SiteAuth'), ...summarise(samples) })
  }
  return rows
}

/** How many parts of the progress bar it takes to compare them. */
export function countPairs(contenders) {
  return contenders.reduce((sum, { pairs = 1 }) => sum + pairs, 0)
}

/** The columns of every table of such routes, around those that only one of them has. */
export function routeColumns(more = []) {
  return [
    ['× bare', row => row.ratio.toFixed(2)],
    ['p10 to p90', row => row.spread],
    ['× bare, CPU', row => row.cpuRatio.toFixed(2)],
    ...more,
    ['requests/s', row => row.rate.toFixed(0)],
    ['CPU µs', row => row.cpu.toFixed(0)],
    ['p50 ms', row => row.p50],
  ]
}

export const routeNote =
  'All values are of the same run. The bare route runs in a process of its own and gets the same cookies. p50 in brackets: of the bare route in the same rounds.'

export const routeBars = {
  heading: 'Requests per second, as a share of the same route without sessions. Longer is better.',
  format: ratio => ratio.toFixed(2),
}

/** A process of a contender and its twin, in turns. */
async function comparePair(routes) {
  for (const { connections } of Object.values(routes)) await connections.visit(WARM_UP_SECONDS)
  const samples = []
  for (let round = 0; round < rounds; round++) {
    const found = {}
    const order = Math.random() < 0.5 ? ['own', 'bare'] : ['bare', 'own']
    for (const which of order) found[which] = await visit(routes[which])
    const { own, bare } = found
    samples.push({
      ...own,
      ratio: own.rate / bare.rate,
      cpuRatio: bare.cpu / own.cpu,
      bareP50: bare.p50,
    })
  }
  for (const { child, connections } of Object.values(routes)) {
    connections.close()
    child.kill('SIGKILL') // some frameworks take their time to end
  }
  return samples
}

async function visit({ child, connections }) {
  const before = await cpuTime(child)
  const found = await connections.visit(seconds)
  return { ...found, cpu: ((await cpuTime(child)) - before) / found.requests }
}

function summarise(samples) {
  const of = (key, share = 0.5) =>
    quantile(
      samples.map(sample => sample[key]),
      share,
    )
  return {
    ratio: of('ratio'),
    spread: `${of('ratio', 0.1).toFixed(2)} – ${of('ratio', 0.9).toFixed(2)}`,
    cpuRatio: of('cpuRatio'),
    rate: of('rate'),
    cpu: of('cpu'),
    p50: `${of('p50').toFixed(1)} (${of('bareP50').toFixed(1)})`,
  }
}
