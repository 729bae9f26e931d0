import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { openConnections } from './load.mjs'
import { KEEP_ALIVE_MS, obeyOrders } from './orders.mjs'

const CONNECTIONS = 32

/**
 * Starts one process for each contender: what one of them does to the heap or to the compiled code
 * does not burden the next.
 *
 * @param script relative to `servers/`. It is given the name of the contender, sends `{ origin, requests }`
 * when it listens, and obeys orders: see `serve`.
 */
export async function startServers(script, names) {
  const file = fileURLToPath(new URL(`../servers/${script}`, import.meta.url))
  const started = names.map(async name => {
    const child = fork(file, [name], { env: { ...process.env, NODE_ENV: 'production' } })
    const [{ origin, requests }] = await once(child, 'message')
    return { name, child, origin, requests }
  })
  return Promise.all(started)
}

/** Connections to one route of a server. */
export function connectTo({ origin, requests }, path) {
  const sent = requests.map(request => ({ ...request, path }))
  return openConnections(origin, sent, CONNECTIONS)
}

/** Of the process, in microseconds. */
export async function cpuTime(child) {
  const { user, system } = await order(child, 'cpu')
  return user + system
}

/** Samples what the server does while something else is done. */
export async function profileWhile({ child }, work) {
  await order(child, 'startProfile')
  await work()
  return order(child, 'stopProfile')
}

async function order(child, name) {
  child.send(name)
  const [answer] = await once(child, 'message')
  return answer
}

/** The other end: listens, and says where and which requests to send. */
export async function serve(server, requestsFor = () => [{}]) {
  server.keepAliveTimeout = KEEP_ALIVE_MS
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${server.address().port}`
  obeyOrders()
  process.send({ origin, requests: await requestsFor(origin) })
}
