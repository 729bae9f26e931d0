import { once } from 'node:events'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { at, createNetwork } from '../../../core/test/revocation/network.ts'
import { Visitor } from '../../../core/test/visitor.ts'
import { RedisAdapter } from '../../src/redis.ts'
import { type PrivateServer, startPrivately } from '../faults/private-server.ts'
import { REDIS_URL } from '../servers.ts'

const POLL = 10_000
const COUNT = 1200

describe.skipIf(!REDIS_URL)('a log in a Redis that evicts keys', () => {
  let server: PrivateServer | null
  let client: Redis
  beforeAll(async () => {
    server = await startPrivately('Redis')
    if (!server) throw new Error('only Linux can start a server of its own')
    client = new Redis(server.url.href)
    client.setMaxListeners(0)
  })
  afterAll(async () => {
    client.disconnect()
    await server?.stop()
  })

  /** Two processes that share a log, in which somebody has signed out, and many others. */
  async function setUp(options: object = {}) {
    const prefix = `${crypto.randomUUID()}:`
    const logOf = () => RedisAdapter({ client, prefix }).revocations
    const network = createNetwork()
    network.clock.now = Date.now()
    const start = () =>
      network.createNode(null, { session: { revocation: { log: logOf(), ...options } } })
    const [one, other] = [start(), start()]
    const visitor = new Visitor(one.handle)
    await visitor.post('/callback/password', { id: 'ann' })
    const stranger = new Visitor(one.handle)
    await stranger.post('/callback/password', { id: 'bob' })
    const log = logOf()
    // Processes hold whole seconds.
    const until = new Date(Math.ceil(Date.now() / 1000) * 1000 + 86_400_000)
    const keys = Array.from({ length: COUNT }, (_, n) => `s:${n.toString(16).padStart(32, '0')}`)
    await log.end(keys.map(key => ({ key, until })))
    const [generation] = await log.end([{ key: 'u:eve', until, isGeneration: true }])
    await at(one, visitor).post('/signout', {})
    for (const node of [one, other]) expect(await at(node, visitor).session()).toBeNull()
    const statusOf = async (node: typeof one) => (await at(node, stranger).get('/session')).status
    const evict = async (...words: string[]) =>
      client.del(...words.map(word => `${prefix}{revocations}:${word}`))
    return { ...network, log, keys, generation, one, other, visitor, start, statusOf, evict }
  }

  it.each([[['ends', 'changed', 'until']], [['changed']], [['until']], [['ends']]])(
    'is written back by every process that has noticed the loss of %s at its next poll',
    async words => {
      const { clock, log, keys, generation, one, other, statusOf, evict, start, visitor } =
        await setUp()
      await evict(...words)
      for (const node of [one, other]) {
        // A poll that began before may still be under way.
        const status = async () => {
          clock.now += POLL
          return statusOf(node)
        }
        await expect.poll(status, { timeout: 20_000 }).toBe(503)
        expect(node.errors.map(causeOf)).toContainEqual(expect.stringContaining('lost'))
      }
      await expect
        .poll(
          async () => {
            clock.now += POLL
            return [await statusOf(one), await statusOf(other)]
          },
          { timeout: 20_000 },
        )
        .toEqual([200, 200])
      expect((await log.find(keys)).length).toBe(COUNT)
      expect(await log.find(['u:eve'])).toEqual([generation])
      expect(await at(start(), visitor).session()).toBeNull()
    },
  )

  it('is written back while sessions are accepted, if the application says so', async () => {
    const { clock, log, keys, one, statusOf, evict } = await setUp({ whenStale: 'accept' })
    await evict('ends', 'changed', 'until')
    clock.now += POLL
    expect(await statusOf(one)).toBe(200)
    expect(one.errors.map(causeOf)).toEqual([expect.stringContaining('lost')])
    const written = async () => (await log.find(keys)).length
    await expect.poll(written, { timeout: 20_000 }).toBe(COUNT)
  })

  it('is not lost if nothing of it was evicted', async () => {
    const { clock, log, one, other, statusOf } = await setUp()
    for (let poll = 0; poll < 3; poll++) {
      clock.now += POLL
      await log.end([{ key: `s:${poll}`, until: new Date(clock.now + 86_400_000) }])
      expect([await statusOf(one), await statusOf(other)]).toEqual([200, 200])
    }
    expect([...one.errors, ...other.errors]).toEqual([])
  })

  it('warns once that it may be lost', async () => {
    await client.config('SET', 'maxmemory-policy', 'allkeys-lru')
    const warned = once(process, 'warning')
    const { revocations } = RedisAdapter({ client, prefix: `${crypto.randomUUID()}:` })
    await revocations.since(null)
    const [warning] = await warned
    expect(warning).toMatchObject({ code: 'SITEAUTH_EVICTION' })
    expect(String(warning)).toContain('allkeys-lru')
    await client.config('SET', 'maxmemory-policy', 'noeviction')
  })
})

/** Why an error was logged. */
function causeOf({ cause }: { readonly cause?: unknown }): string {
  return String(Object(cause).err)
}
