// Requests per second of an Express 5 route that reads who is signed in, over 32 connections, as a
// ratio of a bare route that is sent the same cookies.
//
// Each contender has two processes of its own, one for each of the two routes: in one process the routes
// would share what the compiler knows, and pay for each other. Both are visited equally long, in turns,
// in random order, and nothing is counted before their rates have settled. All servers are up at once;
// the load comes from this process, which is idle for most of the time (the server is not).
//
// Beside it stands the same ratio of the time that the server computes for one request, which depends
// less on what else the machine does.
import { quantile, shuffled } from './lib/measure.mjs'
import { report } from './lib/report.mjs'
import { load, startServers } from './lib/servers.mjs'

const [rounds, seconds] = [Number(process.env.ROUNDS ?? 7), Number(process.env.SECONDS ?? 1)]
const WARM_UP_ROUNDS = 3

const names = [
  'SiteAuth getSession, every token opened',
  'SiteAuth getSession, tokens recur',
  'SiteAuth session(), tokens recur',
  'cookie-session',
  'express-session in memory',
  'passport on express-session',
  'iron-session',
  'Better Auth, memory',
  'Better Auth, cookie cache',
  '@auth/express getSession',
]
const contenders = await startServers('express.mjs', names)
const twins = await startServers('express.mjs', names)
const samples = contenders.map(() => [])
for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
  for (const index of shuffled(contenders.length)) {
    const { own, bare } = await visit(contenders[index], twins[index])
    if (round < 0) continue
    samples[index].push({
      ...own,
      ratio: own.rate / bare.rate,
      cpuRatio: bare.cpu / own.cpu,
      bareP50: bare.p50,
    })
  }
}
const rows = contenders.map(({ name }, index) => {
  const of = (key, share = 0.5) =>
    quantile(
      samples[index].map(sample => sample[key]),
      share,
    )
  return {
    name,
    ours: name.startsWith('SiteAuth'),
    ratio: of('ratio'),
    spread: `${of('ratio', 0.1).toFixed(2)} – ${of('ratio', 0.9).toFixed(2)}`,
    cpuRatio: of('cpuRatio'),
    rate: of('rate'),
    cpu: of('cpu'),
    p50: `${of('p50')} (${of('bareP50')})`,
  }
})
report('express-http', {
  title: 'An Express route that knows who is signed in',
  note: 'All values are of the same run. The bare route runs in a process of its own and gets the same cookies. p50 in brackets: of the bare route in the same rounds.',
  rows,
  columns: [
    ['× bare', row => row.ratio.toFixed(2)],
    ['p10 to p90', row => row.spread],
    ['× bare, CPU', row => row.cpuRatio.toFixed(2)],
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
for (const { child } of [...contenders, ...twins]) child.kill()

/** Both routes, in random order. */
async function visit(server, twin) {
  const bareFirst = Math.random() < 0.5
  const before = bareFirst && (await load(twin, '/bare', seconds))
  const own = await load(server, '/', seconds)
  return { own, bare: before || (await load(twin, '/bare', seconds)) }
}
