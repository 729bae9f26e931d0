import { setTimeout as pause } from 'node:timers/promises'
import { Cluster, Redis } from 'ioredis'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { SERVICES } from '../../../../tools/services.mjs'
import type { Visitor } from '../../../core/test/visitor.ts'
import { PostgresAdapter } from '../../src/postgres.ts'
import { type BuiltChild, buildChild } from '../child-process.ts'
import { clusterFleet } from '../fail-over.ts'
import { startPrivately } from '../faults/private-server.ts'
import { copyVisitor, createVisitor, type Node, startNode } from './start-nodes.ts'

// Redis acknowledges before a replica has a write: what it acknowledged in the last moments before its
// death may be lost with it. PostgreSQL loses nothing that it acknowledged.
const AT_RISK_MS = 1000
const VISITORS = 40

/** A store that is ours to kill. */
interface Store {
  readonly place: string
  readonly atRisk: number
  /**
   * Kills its primary, and waits until it, or another in its place, is there. Answers since when the
   * killed one has surely acknowledged nothing.
   */
  kill(): Promise<number>
  stop(): Promise<void>
}

const STORES = [
  { name: 'PostgreSQL', start: startPostgres },
  { name: 'Redis Cluster', start: startCluster },
]

let child: BuiltChild
beforeAll(async () => {
  child = await buildChild(`${import.meta.dirname}/node.ts`)
})
afterAll(() => child.remove())
const running: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const node of running.splice(0).reverse()) await node.stop()
})

describe.each(STORES)('when the primary of $name is killed while people sign out', setup => {
  it('lets nobody back in who had signed out, and puts nobody else out', async context => {
    const store = await started(setup, context)
    const start = async (): Promise<Node> => {
      const options = { pollSeconds: 1, hasChannel: true }
      const node = await startNode(child, setup.name, store.place, options)
      running.push(node)
      return node
    }
    const nodes = [await start(), await start()] as const
    const visitors = await Promise.all(
      Array.from({ length: VISITORS }, (_, index) => signedIn(nodes[index % 2] as Node, index)),
    )
    const [leaving, staying] = [visitors.slice(0, VISITORS / 2), visitors.slice(VISITORS / 2)]
    const copies = new Map(leaving.map(visitor => [visitor, copyVisitor(visitor)]))

    const left = new Map<Visitor, number>()
    const signingOut = (async () => {
      for (const visitor of leaving) {
        const response = await visitor.post('/signout')
        if (!response.headers.get('location')?.includes('error')) left.set(visitor, Date.now())
        await pause(100)
      }
    })()
    await pause(AT_RISK_MS + 500)
    const before = Date.now()
    const deadSince = await store.kill()
    await signingOut

    const lasting = [...left].filter(([, at]) => at < before - store.atRisk || at > deadSince)
    expect(lasting.some(([, at]) => at < before)).toBe(true)
    expect(lasting.some(([, at]) => at > deadSince)).toBe(true)
    // One that has heard nothing knows what the store kept, and no more.
    for (const node of [...nodes, await start()]) {
      for (const [visitor] of lasting) {
        const copy = copies.get(visitor) as Visitor
        await expect.poll(() => node.sees(copy), POLL_OPTIONS).toBe('out')
      }
      for (const visitor of staying) {
        await expect.poll(() => node.sees(visitor), POLL_OPTIONS).toBe('in')
      }
    }
  }, 300_000)
})

const POLL_OPTIONS = { timeout: 60_000, interval: 100 }

async function started(
  { name, start }: (typeof STORES)[number],
  context: TestContext,
): Promise<Store> {
  const store = await start()
  if (!store) return context.skip(`${name} cannot be started here`)
  running.push(store)
  return store
}

async function startPostgres(): Promise<Store | null> {
  const server = await startPrivately('PostgreSQL')
  if (!server) return null
  const pool = new pg.Pool({ connectionString: server.url.href, max: 1 })
  // Servers for tests acknowledge before they have written, which is quicker, and loses the last moments.
  await pool.query('alter role current_user set synchronous_commit = on')
  await PostgresAdapter({ pool }).migrations.apply()
  await pool.end()
  return {
    place: server.url.href,
    atRisk: 0,
    async kill() {
      const client = new pg.Client({ connectionString: server.url.href })
      client.on('error', () => {})
      await client.connect()
      const { rows } = await client.query(
        "select split_part(pg_read_file('postmaster.pid'), E'\\n', 1) as pid",
      )
      await server.restart(Number(rows[0].pid))
      return Date.now()
    },
    stop: () => server.stop(),
  }
}

async function startCluster(): Promise<Store | null> {
  const stops: (() => unknown)[] = []
  // Sound: one of the list, which returns the addresses of what it started, or null.
  const service = SERVICES['a Redis Cluster'] as {
    find(stops: (() => unknown)[]): Promise<string | null>
  }
  const found = await service.find(stops)
  if (!found) return null
  const fleet = clusterFleet(found.split(','))
  return {
    place: found,
    atRisk: AT_RISK_MS,
    async kill() {
      const killed = await findPrimary(found.split(','), '{nodes}:')
      process.kill(killed.pid, 'SIGKILL')
      // What it acknowledged may still be on its way.
      const deadSince = Date.now() + 200
      while (!(await fleet.hasReplaced(killed))) await pause(100)
      return deadSince
    },
    async stop() {
      for (const stop of stops.reverse()) await stop()
    },
  }
}

/** The primary that has what begins with a prefix. */
async function findPrimary(addresses: string[], prefix: string) {
  const client = new Cluster(addresses)
  const slot = Number(await client.call('cluster', 'keyslot', prefix))
  // Sound: the documented reply, ranges with the address of the primary first.
  const ranges = (await client.call('cluster', 'slots')) as [number, number, [string, number]][]
  client.disconnect()
  const [, , [host, port] = ['', 0]] = ranges.find(([from, to]) => from <= slot && slot <= to) ?? []
  const node = new Redis(port, host)
  const pid = Number((await node.info()).match(/^process_id:(\d+)/m)?.[1])
  node.disconnect()
  return { address: `${host}:${port}`, pid }
}

async function signedIn(node: Node, index: number): Promise<Visitor> {
  const visitor = createVisitor(node)
  await visitor.post('/callback/password', { id: `visitor ${index}` })
  return visitor
}
