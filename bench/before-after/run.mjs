// node bench/before-after/run.mjs <commit>
//
// Whether a session check has become slower since a commit: both versions are built and measured alternately in one run. A ratio above
// 1 means that today's is faster. As function calls in several processes, since the compiler does not treat any two alike, and as
// routes of servers, by the CPU time of each request.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { openConnections } from '../lib/load.mjs'
import { quantile, shuffled } from '../lib/measure.mjs'
import { cpuTime } from '../lib/servers.mjs'
import { tokens } from '../lib/signed-in.mjs'
import { checkOut } from './check-out.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const CALLS = ['opened', 'remembered', 'log', 'log-remembered', 'database', 'edge']
const ROUTES = ['node:http', 'Express', 'Express middleware', 'Fastify', 'Hono']
const PROCESSES = Number(process.env.PROCESSES ?? 5)
const ROUNDS = Number(process.env.ROUNDS ?? 15)
const SECONDS = Number(process.env.SECONDS ?? 0.3)

const commit = process.argv[2]
if (!commit) {
  console.error('Name the commit to compare with: node bench/before-after/run.mjs <commit>')
  process.exit(2)
}
const before = checkOut(ROOT, commit)
try {
  const trees = { before: before.folder, after: ROOT }
  console.log(`| ${commit} / today | median | p10 | p90 |\n|---|--:|--:|--:|`)
  for (const kind of CALLS.filter(isMeant)) print(`call: ${kind}`, await compareCalls(kind, trees))
  for (const framework of ROUTES.filter(isMeant))
    print(`route: ${framework}`, await compareRoutes(framework, trees))
} finally {
  before.remove()
}

/** `ONLY=opened,Hono` measures some. */
function isMeant(name) {
  const { ONLY } = process.env
  return !ONLY || ONLY.split(',').includes(name)
}

function print(name, ratios) {
  const [median, p10, p90] = [0.5, 0.1, 0.9].map(share => quantile(ratios, share).toFixed(2))
  console.log(`| ${name} | ${median} | ${p10} | ${p90} |`)
}

/** The ratios of all rounds, in several processes that have loaded both. */
async function compareCalls(kind, trees) {
  const ratios = []
  for (let count = 0; count < PROCESSES; count++) {
    const child = fork(fileURLToPath(new URL('calls.mjs', import.meta.url)), [
      kind,
      trees.before,
      trees.after,
      // Neither is always the first that the compiler sees.
      String(count % 2),
    ])
    const samples = await samplesOf(child)
    ratios.push(...samples[0].map((time, round) => time / samples[1][round]))
  }
  return ratios
}

/** What a process has measured: it also sends how far it is. */
function samplesOf(child) {
  return new Promise((resolve, reject) => {
    child.on('message', ({ samples }) => samples && resolve(samples))
    child.once('exit', status => reject(new Error(`A process ended with ${status}.`)))
  })
}

/** The ratios of all rounds, over several pairs of servers. */
async function compareRoutes(framework, trees) {
  const ratios = []
  const sent = (await tokens()).map(cookie => ({ headers: { cookie }, path: '/' }))
  for (let count = 0; count < PROCESSES; count++) {
    const servers = await Promise.all(
      [trees.before, trees.after].map(tree => start(framework, tree)),
    )
    const connections = await Promise.all(
      servers.map(({ origin }) => openConnections(origin, sent, 32)),
    )
    for (const each of connections) await each.visit(1.5)
    for (let round = 0; round < ROUNDS; round++) {
      const cpu = []
      for (const index of shuffled(2)) {
        const start = await cpuTime(servers[index].child)
        const { requests } = await connections[index].visit(SECONDS)
        cpu[index] = ((await cpuTime(servers[index].child)) - start) / requests
      }
      ratios.push(cpu[0] / cpu[1])
    }
    for (const each of connections) each.close()
    for (const { child } of servers) child.kill('SIGKILL')
  }
  return ratios
}

async function start(framework, tree) {
  const child = fork(fileURLToPath(new URL('server.mjs', import.meta.url)), [framework, tree], {
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const [{ origin }] = await once(child, 'message')
  return { child, origin }
}
