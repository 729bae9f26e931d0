import type { RevocationEntry, RevocationLog } from '@siteauth/core/adapters'
import { Cluster } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RedisAdapter } from '../../src/redis.ts'
import { beginMove } from '../moving-slot.ts'
import { REDIS_CLUSTER } from '../servers.ts'
import { type OpenStore, OUR_STORES } from '../stores.ts'

const COUNT = 7001
const until = new Date(Date.now() + 400 * 86_400_000)
const KEYS = Array.from({ length: COUNT }, (_, n) => `s:${n.toString(16)}`)

const nodes = (REDIS_CLUSTER ?? '').split(',')

/** The name of every key of this log in the cluster begins with it. */
const PREFIX = `${crypto.randomUUID()}:`

const CLUSTER = {
  name: 'a Redis Cluster',
  isThere: REDIS_CLUSTER !== undefined,
  async open() {
    const client = new Cluster(nodes)
    const adapter = RedisAdapter({ client, prefix: PREFIX })
    return { adapter, close: () => client.disconnect() }
  },
}

async function fill(log: RevocationLog) {
  for (let from = 0; from < COUNT; from += 500) {
    await log.end(KEYS.slice(from, from + 500).map(key => ({ key, until })))
  }
}

/** Reads a log page by page. Returns the keys in it. */
async function readPages(log: RevocationLog, onPage = async (_count: number) => {}) {
  const keys = new Set<string>()
  let cursor: string | null = null
  let pages = 0
  do {
    const page: { revocations: readonly RevocationEntry[]; next: string | null } | undefined =
      await log.page?.(cursor)
    if (!page) throw new Error('the log has no pages')
    expect(page.revocations.length).toBeLessThanOrEqual(1000)
    for (const { key } of page.revocations) keys.add(key)
    await onPage(++pages)
    cursor = page.next
  } while (cursor !== null)
  return keys
}

describe.each([...OUR_STORES, CLUSTER].filter(({ name, isThere }) => isThere && name !== 'memory'))(
  'a log of several pages in $name',
  ({ open }) => {
    let store: OpenStore
    beforeAll(async () => {
      store = await open()
      await fill(store.adapter.revocations)
    })
    afterAll(() => store.close())

    it('is read page by page: each entry, and none of the pages is long', async () => {
      const keys = await readPages(store.adapter.revocations)
      expect([...keys].toSorted()).toEqual(KEYS.toSorted())
    })

    it('is read completely although entries that were read change', async () => {
      const { revocations } = store.adapter
      const later = new Date(until.getTime() + 1000)
      const keys = await readPages(revocations, async count => {
        if (count > 3) return
        const changed = KEYS.filter((_, n) => n % 70 === count).map(key => ({ key, until: later }))
        await revocations.end(changed)
      })
      expect([...keys].toSorted()).toEqual(KEYS.toSorted())
    })

    it('is read by the time of the change in parts, none of which is long', async () => {
      const { revocations } = store.adapter
      const keys = new Set<string>()
      let cursor: string | null | undefined
      do {
        const part: Awaited<ReturnType<RevocationLog['since']>> = await (cursor === undefined
          ? revocations.since(new Date(0))
          : revocations.since(new Date(0), cursor ?? ''))
        expect(part.revocations.length).toBeLessThanOrEqual(1000)
        for (const { key } of part.revocations) keys.add(key)
        cursor = part.next
      } while (cursor != null)
      expect([...keys].toSorted()).toEqual(KEYS.toSorted())
    })
  },
)

describe.skipIf(!REDIS_CLUSTER)('a log whose slot moves to another server of a cluster', () => {
  it('is read completely by a process that has begun before', { timeout: 60_000 }, async () => {
    const { adapter, close } = await CLUSTER.open()
    await fill(adapter.revocations)
    const keys = await readPages(adapter.revocations, async count => {
      if (count !== 2) return
      const move = await beginMove(nodes, `${PREFIX}{revocations}:ends`)
      await move.half()
      await move.finish()
    })
    expect([...keys].toSorted()).toEqual(KEYS.toSorted())
    close()
  })
})
