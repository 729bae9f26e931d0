import type { RevocationLog } from '@siteauth/core/adapters'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RedisAdapter, type RedisClient } from '../../src/redis.ts'
import { hearsNow, sampleRevocation, watch } from './watcher.ts'

/** A client, and how to end it. */
interface Connected {
  readonly client: RedisClient
  readonly end: () => unknown
}

/** What happens to whoever watches Redis with a client, all of whose connections have the same name. */
export function watchedRedis(
  name: string,
  open: (connectionName: string) => Promise<Connected>,
  /** Where its connections may be. */
  servers: () => Promise<readonly string[]>,
): void {
  describe(`watching Redis, with ${name}`, () => {
    const own = crypto.randomUUID()
    let connected: Connected
    let log: RevocationLog
    beforeAll(async () => {
      connected = await open(own)
      log = RedisAdapter({ client: connected.client, prefix: `${own}:` }).revocations
    })
    afterAll(() => connected.end())

    it('says once that the connection was lost, and hears again when it is back', async () => {
      const watcher = await watch(log)
      expect(watcher.listenings()).toBe(1)
      expect(await killSubscribers(await servers(), own)).toBe(1)
      await watcher.untilLost()
      await expect.poll(() => hearsNow(watcher, log), { timeout: 10_000 }).toBe(true)
      expect(watcher.losses()).toBe(1)
      await expect.poll(() => watcher.listenings()).toBe(2)
      await watcher.stop()
    })

    it('ends with the client', async () => {
      const { client, end } = await open(crypto.randomUUID())
      const prefix = `${crypto.randomUUID()}:`
      const watcher = await watch(RedisAdapter({ client, prefix }).revocations)
      await end()
      await watcher.untilLost()
      const other = RedisAdapter({ client: connected.client, prefix }).revocations
      const control = await watch(other)
      const revocation = sampleRevocation()
      await other.end([revocation])
      await control.hears(revocation)
      expect(watcher.heard(revocation)).toBe(false)
      await control.stop()
    })
  })
}

/** Cuts the connections of that name that hear messages. Returns how many there were. */
async function killSubscribers(servers: readonly string[], name: string): Promise<number> {
  let killed = 0
  for (const server of servers) {
    const admin = new Redis(`redis://${server}`)
    const list = String(await admin.call('client', 'list', 'type', 'pubsub'))
    for (const line of list.split('\n').filter(line => line.includes(`name=${name} `))) {
      const [, id = ''] = /^id=(\d+)/.exec(line) ?? []
      killed += Number(await admin.call('client', 'kill', 'id', id))
    }
    admin.disconnect()
  }
  return killed
}
