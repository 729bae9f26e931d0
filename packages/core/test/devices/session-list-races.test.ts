import type { RevocationLog } from '@siteauth/core/adapters'
import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { at, createNetwork } from '../revocation/network.ts'
import { createTestAuth, Visitor } from '../visitor.ts'
import { createPeople, sessionsOf } from './people.ts'

const SECOND = 1000
const COOKIE = '__Secure-authjs.session-token'

type Network = ReturnType<typeof createNetwork>

async function signIn(auth: ReturnType<Network['node']>): Promise<Visitor> {
  const visitor = new Visitor(auth.handle)
  await visitor.post('/callback/password', { id: 'ann' })
  return visitor
}

/** A log in which something else happens between the look at a session and the end of the others. */
function interrupted(log: RevocationLog, meanwhile: () => Promise<unknown>): RevocationLog {
  let act: typeof meanwhile | null = meanwhile
  return {
    ...log,
    async end(endings) {
      const now = act
      act = null
      await now?.()
      return log.end(endings)
    },
  }
}

describe('a stolen session that ends all others while it is ended itself', () => {
  it('does not come back by sparing itself, when the user is ended', async () => {
    const { node, createNode, log, clock } = createNetwork({
      session: { track: MemoryAdapter().trackedSessions },
    })
    const server = node()
    const [ann] = [await signIn(server), await signIn(server)]
    const slow = createNode(
      interrupted(log, async () => {
        await server.users.endSessions('ann')
        clock.now += SECOND
      }),
    )
    const thief = at(slow, ann)
    await thief.post('/sessions/end', { others: 'true' })
    expect(await at(node(), thief).session()).toBeNull()
  })

  it('does not come back by sparing itself, when it is one of the others', async () => {
    const { node, createNode, log, clock } = createNetwork({
      session: { track: MemoryAdapter().trackedSessions },
    })
    const server = node()
    const stolen = await signIn(server)
    const ann = await signIn(server)
    const slow = createNode(
      interrupted(log, async () => {
        await ann.post('/sessions/end', { others: 'true' })
        clock.now += SECOND
      }),
    )
    const thief = at(slow, stolen)
    await thief.post('/sessions/end', { others: 'true' })
    expect(await at(node(), thief).session()).toBeNull()
  })
})

describe('whoever ends all others goes on', () => {
  it('if somebody ended all of the user in the same millisecond', async () => {
    const { node } = createNetwork({ session: { track: MemoryAdapter().trackedSessions } })
    const server = node()
    await server.users.endSessions('ann')
    const ann = await signIn(server)
    await ann.post('/sessions/end', { others: 'true' })
    expect(await at(node(), ann).session()).not.toBeNull()
  })

  it('if the clock of the store was put back since the user was last ended', async () => {
    const { node, storeClock } = createNetwork({
      session: { track: MemoryAdapter().trackedSessions },
    })
    const server = node()
    await server.users.endSessions('ann')
    const ann = await signIn(server)
    storeClock.offset = -60 * SECOND
    await ann.post('/sessions/end', { others: 'true' })
    expect(await at(node(), ann).session()).not.toBeNull()
  })
})

describe('a list of sessions in cookies', () => {
  it('ends nobody else by a row that names a user', async () => {
    const { adapter, signIn, clock } = createPeople('jwt')
    const [ann, mallory] = [await signIn('ann'), await signIn('mallory')]
    const expires = new Date(clock.now + 60 * 60 * SECOND)
    await adapter.trackedSessions.add({ id: 'u:ann', userId: 'mallory', expires })
    const forged = (await sessionsOf(mallory)).find(({ isCurrent }) => !isCurrent)
    await mallory.post('/sessions/end', { handle: forged?.handle ?? '' })
    expect(await ann.session()).not.toBeNull()
  })
})

describe('signing out while the store is down', () => {
  it.each([false, true])('removes the cookie (another was planted: %s)', async isPlanted => {
    const { adapter, signIn } = createPeople('database')
    const ann = await signIn('ann')
    const down = () => Promise.reject(new Error('connection refused'))
    const auth = createTestAuth({
      adapter: { ...adapter, getSessionAndUser: down, deleteSession: down },
      providers: [],
    })
    const leaving = at(auth, ann)
    if (isPlanted) leaving.cookies.set(`${COOKIE}.0`, 'planted')
    const answer = await leaving.post('/signout')
    expect(answer.headers.getSetCookie().join('\n')).toContain(`${COOKIE}=;`)
  })
})
