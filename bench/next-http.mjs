// Requests per second of a page, a route handler and a route behind the proxy of Next, each with and
// without a look at who is signed in, as a ratio in the same round. One application, built by
// `next build`, in one process; over 16 connections. Beside it the same ratio of the time that the server
// computes for one request, which depends less on what else the machine does.
import { spawn, spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { encode } from '@siteauth/core/jwt'
import { openConnections } from './lib/load.mjs'
import { quantile, shuffled } from './lib/measure.mjs'
import { progress } from './lib/progress.mjs'
import { report } from './lib/report.mjs'

const [rounds, seconds] = [Number(process.env.ROUNDS ?? 5), Number(process.env.SECONDS ?? 0.5)]
const WARM_UP_SECONDS = 1.5
const SECRET = 'a secret of at least thirty-two characters'
const folder = fileURLToPath(new URL('next-app/', import.meta.url))
const next = fileURLToPath(new URL('node_modules/next/dist/bin/next', import.meta.url))
const env = {
  ...process.env,
  NODE_ENV: 'production',
  NEXT_TELEMETRY_DISABLED: '1',
  AUTH_SECRET: SECRET,
  AUTH_TRUST_HOST: 'true',
}

const contenders = [
  { name: 'SiteAuth, a page', plain: '/page/plain', own: '/page/ours', goal: 0.83 },
  { name: 'next-auth 5, a page', plain: '/page/plain', own: '/page/old' },
  { name: 'SiteAuth, a route handler', plain: '/route/plain', own: '/route/ours', goal: 0.92 },
  { name: 'next-auth 5, a route handler', plain: '/route/plain', own: '/route/old' },
  { name: 'SiteAuth, the proxy', plain: '/behind/nothing', own: '/behind/ours', goal: 0.88 },
  { name: 'next-auth 5, the proxy', plain: '/behind/nothing', own: '/behind/old' },
]

rmSync(new URL('next-app/.next', import.meta.url), { recursive: true, force: true })
const built = spawnSync(process.execPath, [next, 'build'], { cwd: folder, env, encoding: 'utf8' })
if (built.status !== 0) throw new Error(`next build failed\n${built.stdout}${built.stderr}`)
const { child, origin } = await start()
const salt = 'authjs.session-token'
const claims = { sub: '1', name: 'Ann Example', email: 'ann.example@example.com' }
const cookie = `${salt}=${await encode({ token: claims, secret: SECRET, salt })}`

const routes = new Map()
for (const path of new Set(contenders.flatMap(({ plain, own }) => [plain, own]))) {
  const connections = await openConnections(origin, [{ path, headers: { cookie } }], 16)
  await connections.visit(WARM_UP_SECONDS)
  routes.set(path, connections)
}
const samples = contenders.map(() => [])
for (let round = 0; round < rounds; round++) {
  for (const index of shuffled(contenders.length)) {
    const { plain, own } = contenders[index]
    const found = {}
    for (const path of Math.random() < 0.5 ? [plain, own] : [own, plain]) {
      found[path] = await load(path)
    }
    const [without, known] = [found[plain], found[own]]
    samples[index].push({
      rate: known.rate,
      cpu: known.cpu,
      ratio: known.rate / without.rate,
      cpuRatio: without.cpu / known.cpu,
    })
  }
  progress((round + 1) / rounds)
}
for (const connections of routes.values()) connections.close()
child.kill()

report('next-http', {
  title: 'What it costs in Next.js to know who is signed in',
  note: 'Next 16.4.3 after next build, next-auth 5.0.0-beta.32. All values are of the same run. Without: the same page, route handler, or a proxy that does nothing, with the same cookie in the same round. One token recurs, so ours remembers it.',
  rows: contenders.map(({ name, goal }, index) => {
    const of = (key, share = 0.5) =>
      quantile(
        samples[index].map(sample => sample[key]),
        share,
      )
    return {
      name,
      goal,
      ours: name.startsWith('SiteAuth'),
      ratio: of('ratio'),
      spread: `${of('ratio', 0.1).toFixed(2)} – ${of('ratio', 0.9).toFixed(2)}`,
      cpuRatio: of('cpuRatio'),
      rate: of('rate'),
      cpu: of('cpu'),
    }
  }),
  columns: [
    ['× without', row => row.ratio.toFixed(2)],
    ['p10 to p90', row => row.spread],
    ['× without, CPU', row => row.cpuRatio.toFixed(2)],
    ['goal', row => row.goal ?? ''],
    ['requests/s', row => row.rate.toFixed(0)],
    ['CPU µs', row => row.cpu.toFixed(0)],
  ],
  bars: {
    heading: 'Requests per second, as a share of the same without sessions. Longer is better.',
    format: ratio => ratio.toFixed(2),
  },
})

async function start() {
  // Connections wait while it is another's turn.
  const words = [next, 'start', '-p', '0', '-H', '127.0.0.1', '--keepAliveTimeout', '600000']
  const server = spawn(process.execPath, words, { cwd: folder, env })
  let log = ''
  server.stdout.on('data', chunk => {
    log += chunk
  })
  while (server.exitCode === null) {
    const port = /http:\/\/[^\s:]+:(\d+)/.exec(log)?.[1]
    if (port && log.includes('Ready')) return { child: server, origin: `http://127.0.0.1:${port}` }
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  throw new Error(`next start failed\n${log}`)
}

async function load(path) {
  const before = await cpuTime()
  const { rate, requests } = await routes.get(path).visit(seconds)
  return { rate, cpu: ((await cpuTime()) - before) / requests }
}

async function cpuTime() {
  const response = await fetch(`${origin}/route/cpu`, { method: 'POST' })
  return response.json()
}
