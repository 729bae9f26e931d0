import { setTimeout as pause } from 'node:timers/promises'
import { Cluster, Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CompleteAdapter } from '../src/memory.ts'
import { RedisAdapter } from '../src/redis.ts'

// A primary acknowledges before its replica has a write: what it acknowledged in the last moments
// before it is killed may be lost, by the promise of Redis Cluster itself.
const AT_RISK_MS = 1000
const RUN_MS = 2000
const PATIENCE_MS = 30_000

/**
 * Kills a primary while people sign in and are checked. To be the last user of the cluster, which
 * has to be one that `npm test` started.
 */
export function failOver(nodes: readonly string[]): void {
  describe('when a primary of the Redis Cluster is killed', () => {
    let client: Cluster
    let adapter: CompleteAdapter
    beforeAll(() => {
      client = new Cluster([...nodes])
      client.on('error', () => {}) // Said again by every command that fails.
      adapter = RedisAdapter({ client, prefix: 'fail-over:' })
    })
    afterAll(() => client.disconnect())

    it('loses no session, and says error while it cannot know', { timeout: 90_000 }, async () => {
      const primary = await ownPrimary(nodes)
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
      await untilReplaced(nodes, primary)
      await pause(RUN_MS)
      isOver = true
      await Promise.all([...signingIn, ...checking])

      expect(checks.signedOut).toBe(0)
      expect(checks.found).toBeGreaterThan(0)
      const safe = acknowledged.filter(({ at }) => at < killedAt - AT_RISK_MS || at > killedAt)
      expect(safe.some(({ at }) => at > killedAt)).toBe(true)
      for (const token of [...stored, ...safe.map(each => each.token)]) {
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

/** A primary of a cluster that is ours to kill, or null when the cluster is somebody else's. */
async function ownPrimary(nodes: readonly string[]) {
  for (const address of nodes) {
    const info = await ask(address, async node => {
      const [, folder] = (await node.call('config', 'get', 'dir')) as string[]
      return { text: await node.info(), isOurs: String(folder).includes('siteauth-redis-') }
    })
    if (!info?.isOurs) return null
    const pid = Number(info.text.match(/^process_id:(\d+)/m)?.[1])
    if (/^role:master/m.test(info.text)) return { address, pid }
  }
  return null
}

async function untilReplaced(nodes: readonly string[], killed: { address: string }) {
  const others = nodes.filter(address => address !== killed.address)
  const until = Date.now() + PATIENCE_MS
  while (Date.now() < until) {
    const states = await Promise.all(
      others.map(address => ask(address, async node => String(await node.call('cluster', 'info')))),
    )
    const roles = await Promise.all(others.map(address => ask(address, node => node.info())))
    const primaries = roles.filter(info => info && /^role:master/m.test(info)).length
    if (primaries === 3 && states.every(state => state?.includes('cluster_state:ok'))) return
    await pause(100)
  }
  throw new Error('the cluster did not recover')
}

async function ask<T>(address: string, question: (node: Redis) => Promise<T>): Promise<T | null> {
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
