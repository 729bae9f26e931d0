// Requests per second of an Express 5 route that reads who is signed in, over 32 connections, as a
// ratio of a bare route that is sent the same cookies.
//
// Each contender has processes of its own, and each of these a twin that is asked for the bare route: in
// one process the two would share what the compiler knows, and pay for each other. The two are visited
// equally long, in turns, in random order, when they have run for a while. No two processes are compiled
// alike, so ours, whose differences are small, get several pairs. Only one pair is up at a time; the load
// comes from this process, which is idle for most of the time (the server is not).
//
// Beside it stands the same ratio of the time that the server computes for one request, which depends
// less on what else the machine does.
//
// ETAGS=off npm run bench -- express-http: the same with Express's ETags turned off.
import { quantile } from './lib/measure.mjs'
import { report } from './lib/report.mjs'
import { connectTo, cpuTime, startServers } from './lib/servers.mjs'

const [rounds, seconds] = [Number(process.env.ROUNDS ?? 5), Number(process.env.SECONDS ?? 0.5)]
const WARM_UP_SECONDS = 2

const contenders = [
  { name: 'SiteAuth getSession, every token opened', pairs: 4, goal: 0.78 },
  { name: 'SiteAuth getSession, tokens recur', pairs: 4, goal: 0.93 },
  { name: 'SiteAuth session(), tokens recur', pairs: 4, goal: 0.93 },
  { name: 'cookie-session' },
  { name: 'express-session in memory' },
  { name: 'passport on express-session' },
  { name: 'iron-session' },
  { name: 'Better Auth, memory' },
  { name: 'Better Auth, cookie cache' },
  { name: '@auth/express getSession' },
]

const rows = []
for (const { name, goal, pairs = 1 } of contenders) {
  const samples = []
  for (let pair = 0; pair < pairs; pair++) samples.push(...(await comparePair(name)))
  const of = (key, share = 0.5) =>
    quantile(
      samples.map(sample => sample[key]),
      share,
    )
  rows.push({
    name,
    goal,
    ours: name.startsWith('SiteAuth'),
    ratio: of('ratio'),
    spread: `${of('ratio', 0.1).toFixed(2)} – ${of('ratio', 0.9).toFixed(2)}`,
    cpuRatio: of('cpuRatio'),
    rate: of('rate'),
    cpu: of('cpu'),
    p50: `${of('p50').toFixed(1)} (${of('bareP50').toFixed(1)})`,
  })
}
report('express-http', {
  title: 'An Express route that knows who is signed in',
  note: `All values are of the same run. The bare route runs in a process of its own and gets the same cookies. p50 in brackets: of the bare route in the same rounds. ${process.env.ETAGS === 'off' ? 'ETags are off. ' : ''}Ours: over ${contenders[0].pairs} pairs of processes.`,
  rows,
  columns: [
    ['× bare', row => row.ratio.toFixed(2)],
    ['p10 to p90', row => row.spread],
    ['× bare, CPU', row => row.cpuRatio.toFixed(2)],
    ['goal', row => row.goal ?? ''],
    ['requests/s', row => row.rate.toFixed(0)],
    ['CPU µs', row => row.cpu.toFixed(0)],
    ['p50 ms', row => row.p50],
  ],
  bars: {
    heading:
      'Requests per second, as a share of the same route without sessions. Longer is better.',
    format: ratio => ratio.toFixed(2),
  },
})

/** A process of a contender and its twin, in turns. */
async function comparePair(name) {
  const [server, twin] = await startServers('express.mjs', [name, name])
  const routes = {
    own: { child: server.child, connections: await connectTo(server, '/') },
    bare: { child: twin.child, connections: await connectTo(twin, '/bare') },
  }
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
    child.kill()
  }
  return samples
}

async function visit({ child, connections }) {
  const before = await cpuTime(child)
  const found = await connections.visit(seconds)
  return { ...found, cpu: ((await cpuTime(child)) - before) / found.requests }
}
