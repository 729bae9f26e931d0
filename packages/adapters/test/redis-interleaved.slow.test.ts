import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CompleteAdapter, RedisAdapter } from '../src/redis.ts'
import { REDIS_URL } from './servers.ts'

// What ends several sessions takes several commands, since their keys are in any slot. Whatever runs between any two of
// them makes no difference.

/** More commands than any method needs. */
const MANY = 12

describe.skipIf(!REDIS_URL)('Redis, with something else between two commands', () => {
  let client: Redis
  beforeAll(() => {
    client = new Redis(String(REDIS_URL))
  })
  afterAll(() => client.disconnect())

  /** Two adapters of one store: the first runs something before the nth command that it sends. */
  function open(nth: number, between: (adapter: CompleteAdapter) => Promise<unknown>) {
    const prefix = `${crypto.randomUUID()}:`
    const adapter = RedisAdapter({ client, prefix })
    let sent = 0
    let isArmed = false
    const interrupted = RedisAdapter({
      prefix,
      client: {
        async call(command, ...args) {
          if (isArmed && ++sent === nth) await between(adapter)
          return client.call(command, ...args)
        },
      },
    })
    const arm = () => {
      isArmed = true
    }
    return { adapter, interrupted, arm }
  }

  const everyCommand = Array.from({ length: MANY }, (_, index) => index + 1)
  const expires = new Date(Date.now() + 3_600_000)

  async function rotate(adapter: CompleteAdapter, userId: string): Promise<void> {
    await adapter.createSession({ sessionToken: 'after', userId, expires })
    const isThere = await adapter.getSessionAndUser('before')
    await adapter.deleteSession(isThere ? 'before' : 'after')
  }

  it.each(everyCommand)('all others end, with one that is rotated before command %i', async nth => {
    const { adapter, interrupted, arm } = open(nth, other => rotate(other, userId))
    const { id: userId } = await adapter.createUser({
      id: 'ann',
      email: 'a@b.test',
      emailVerified: null,
    })
    for (const sessionToken of ['own', 'before', 'third']) {
      await adapter.createSession({ sessionToken, userId, expires })
    }
    arm()
    await interrupted.deleteOtherSessions({ userId, sessionToken: 'own' })
    const listed = await adapter.listSessions(userId)
    expect(listed.map(({ sessionToken }) => sessionToken)).toEqual(['own'])
    for (const token of ['before', 'after', 'third']) {
      expect(await adapter.getSessionAndUser(token), token).toBeNull()
    }
  })

  it.each(everyCommand)('a rotated session ends with all others before command %i', async nth => {
    const { adapter, interrupted, arm } = open(nth, other =>
      other.deleteOtherSessions({ userId, sessionToken: 'own' }),
    )
    const { id: userId } = await adapter.createUser({
      id: 'ann',
      email: 'a@b.test',
      emailVerified: null,
    })
    for (const sessionToken of ['own', 'before']) {
      await adapter.createSession({ sessionToken, userId, expires })
    }
    arm()
    await rotate(interrupted, userId)
    const tokens = (await adapter.listSessions(userId)).map(({ sessionToken }) => sessionToken)
    // A rotation sends seven commands.
    expect(tokens.toSorted()).toEqual(nth > 7 ? ['after', 'own'] : ['own'])
    expect(await adapter.getSessionAndUser('before')).toBeNull()
  })
})
