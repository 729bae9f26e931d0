import { setTimeout as pause } from 'node:timers/promises'
import { Cluster, Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CompleteAdapter } from '../src/memory.ts'
import { RedisAdapter, type RedisClient } from '../src/redis.ts'

// A primary acknowledges before its replica has a write: what it acknowledged in the last moments
// before it is killed may be lost, by the promise of Redis itself.
const AT_RISK_MS = 1000
const RUN_MS = 2000
const TIMEOUT_MS = 30_000

/** Several servers of which one can stand in for another. */
export interface Fleet {
  readonly name: string
  /** A client, and how to end it. */
  connect(): { readonly client: RedisClient; readonly disconnect: () => void }
  /** A primary that is ours to kill, or null when the servers are somebody else's. */
  findPrimary(): Promise<Primary | null>
  /** Whether another has taken its place, and all is well. */
  hasReplaced(killed: Primary): Promise<boolean>
}

interface Primary {
  readonly address: string
  readonly pid: number
}

/**
 * Kills a primary while people sign in and are checked. To be the last user of the servers, which
 * have to be those that `npm test` started.
 */
export function failOver(fleet: Fleet): void {
  describe(`when a primary of ${fleet.name} is killed`, () => {
    let adapter: CompleteAdapter
    let disconnect: () => void
    beforeAll(() => {
      const connected = fleet.connect()
      disconnect = connected.disconnect
      adapter = RedisAdapter({ client: connected.client, prefix: 'fail-over:' })
    })
    afterAll(() => disconnect())

    it('loses no session, and says error while it cannot know', { timeout: 90_000 }, async () => {
      const primary = await fleet.findPrimary()
      if (!primary) return

      const stored = await Promise.all(Array.from({ length: 60 }, () => signIn(adapter)))
      await pause(AT_RISK_MS)

      const acknowledged: { token: string; at: number }[] = []
      const checks = { found: 0, errors: 0, signedOut: 0 }
      let isOver = false
      const signingIn = Array.from({ length: 4 }, async () => {
        while (!isOver) {
          try {
            const token = await signIn(adapter)
            acknowledged.push({ token, at: Date.now() })
          } catch {
            await pause(20)
          }
        }
      })
      const checking = stored.slice(0, 8).map(async (_, offset) => {
        for (let at = offset; !isOver; at = (at + 8) % stored.length) {
          try {
            const session = await adapter.getSessionAndUser(stored[at] ?? '')
            if (session) checks.found++
            else checks.signedOut++
          } catch {
            checks.errors++
            await pause(20)
          }
        }
      })

      await pause(RUN_MS)
      const killedAt = Date.now()
      process.kill(primary.pid, 'SIGKILL')
      await untilReplaced(fleet, primary)
      await pause(RUN_MS)
      isOver = true
      await Promise.all([...signingIn, ...checking])

      expect(checks.signedOut).toBe(0)
      expect(checks.found).toBeGreaterThan(0)
      const safe = acknowledged.filter(({ at }) => at < killedAt - AT_RISK_MS || at > killedAt)
      expect(safe.some(({ at }) => at > killedAt)).toBe(true)
      for (const token of [...stored, ...safe.map(entry => entry.token)]) {
        expect(await adapter.getSessionAndUser(token), token).not.toBeNull()
      }
    })
  })
}

async function signIn(adapter: CompleteAdapter): Promise<string> {
  const id = crypto.randomUUID()
  await adapter.createUserWithAccount({
    user: { id, email: `${id}@example.com`, emailVerified: null },
    account: { type: 'oauth', provider: 'github', providerAccountId: id },
    session: { sessionToken: id, expires: new Date(Date.now() + 3_600_000) },
  })
  return id
}

async function untilReplaced(fleet: Fleet, killed: Primary): Promise<void> {
  const until = Date.now() + TIMEOUT_MS
  while (Date.now() < until) {
    if (await fleet.hasReplaced(killed)) return
    await pause(100)
  }
  throw new Error(`${fleet.name} did not recover`)
}

/** A Redis Cluster of three primaries, by the addresses of all of its nodes. */
export function clusterFleet(nodes: readonly string[]): Fleet {
  return {
    name: 'the Redis Cluster',
    connect() {
      const client = new Cluster([...nodes])
      client.on('error', () => {}) // Said again by every command that fails.
      return { client, disconnect: () => client.disconnect() }
    },
    async findPrimary() {
      for (const address of nodes) {
        const primary = await ownPrimary(address)
        if (primary) return primary
      }
      return null
    },
    async hasReplaced(killed) {
      const others = nodes.filter(address => address !== killed.address)
      const states = await Promise.all(
        others.map(other => query(other, async node => String(await node.call('cluster', 'info')))),
      )
      const roles = await Promise.all(others.map(other => query(other, node => node.info())))
      const primaries = roles.filter(info => info && IS_PRIMARY.test(info)).length
      return primaries === 3 && states.every(state => state?.includes('cluster_state:ok'))
    },
  }
}

/** A primary and its replica, by the addresses of the sentinels that know it as `main`. */
export function sentinelFleet(addresses: readonly string[]): Fleet {
  const currentPrimary = () =>
    query(addresses[0] ?? '', async sentinel => {
      const reply = await sentinel.call('sentinel', 'get-master-addr-by-name', 'main')
      // Sound: the documented reply, host and port.
      return (reply as string[]).join(':')
    })
  return {
    name: 'Redis Sentinel',
    connect() {
      const client = new Redis({ sentinels: toSentinels(addresses), name: 'main' })
      client.on('error', () => {}) // Said again by every command that fails.
      return { client, disconnect: () => client.disconnect() }
    },
    findPrimary: async () => ownPrimary((await currentPrimary()) ?? ''),
    async hasReplaced(killed) {
      const address = await currentPrimary()
      if (!address || address === killed.address) return false
      return IS_PRIMARY.test((await query(address, node => node.info())) ?? '')
    },
  }
}

/** The addresses as clients take them. */
export function toSentinels(addresses: readonly string[]): { host: string; port: number }[] {
  return addresses.map(address => {
    const [host = '', port = ''] = address.split(':')
    return { host, port: Number(port) }
  })
}

const IS_PRIMARY = /^role:master/m

async function ownPrimary(address: string): Promise<Primary | null> {
  return query(address, async node => {
    // Sound: the documented reply, name and value.
    const [, folder] = (await node.call('config', 'get', 'dir')) as string[]
    const info = await node.info()
    const isOurs = String(folder).includes('siteauth-redis-')
    const pid = Number(info.match(/^process_id:(\d+)/m)?.[1])
    return isOurs && IS_PRIMARY.test(info) ? { address, pid } : null
  })
}

async function query<T>(address: string, question: (node: Redis) => Promise<T>): Promise<T | null> {
  const node = new Redis(`redis://${address}`, { maxRetriesPerRequest: 0, lazyConnect: true })
  node.on('error', () => {})
  try {
    return await question(node)
  } catch {
    return null
  } finally {
    node.disconnect()
  }
}
