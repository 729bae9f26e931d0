import type { TrackedSession } from '@siteauth/core/adapters'
import { expect } from 'vitest'
import type { AdapterCase } from './adapter-case.ts'
import { inHours, sampleSession, storeUser } from './samples.ts'

/** What is known of a session, to the millisecond and the letter. */
const DETAILS = {
  createdAt: inHours(-48),
  lastSeenAt: inHours(-1),
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) "Firefox"/140.0',
  label: 'Zoë’s 🖥️, Øst',
  provider: 'github',
}

/** Sessions that are listed: those that are rows, and those in cookies. */
export const LISTED_SESSION_CASES: readonly AdapterCase[] = [
  {
    name: 'a session keeps what is known of it',
    needs: ['extends', 'createUser', 'createSession', 'listSessions'],
    async run(adapter) {
      const { id } = await storeUser(adapter)
      const session = sampleSession(id, DETAILS)
      await adapter.createSession(session)
      expect(await adapter.listSessions(id)).toEqual([session])
    },
  },
  {
    name: 'a session that is stored with its user keeps what is known of it',
    needs: ['extends', 'createUserWithAccount', 'listSessions'],
    async run(adapter) {
      const id = crypto.randomUUID()
      const { userId: _, ...session } = sampleSession(id, DETAILS)
      const stored = await adapter.createUserWithAccount({
        user: { id, email: `${id}@example.com`, emailVerified: null },
        account: { type: 'oidc', provider: 'google', providerAccountId: id },
        session,
      })
      const userId = String(stored?.user.id)
      expect(await adapter.listSessions(userId)).toEqual([{ ...session, userId }])
    },
  },
  {
    name: 'a session that is renewed was seen then, and keeps the rest',
    needs: ['extends', 'createUser', 'createSession', 'getAndRenewSession', 'listSessions'],
    async run(adapter) {
      const { id } = await storeUser(adapter)
      const session = sampleSession(id, DETAILS)
      await adapter.createSession(session)
      const [now, expires] = [inHours(0), inHours(48)]
      // Rarely, and at every access: stores may have a way for each.
      for (const dueUntil of [inHours(30), expires]) {
        const renewal = { now, dueUntil, dueAfter: inHours(50), expires }
        await adapter.getAndRenewSession(session.sessionToken, renewal)
        const renewed = { ...session, expires, lastSeenAt: now }
        expect(await adapter.listSessions(id)).toEqual([renewed])
      }
    },
  },
  {
    name: 'a session of which nothing is known is listed',
    needs: ['createUser', 'createSession', 'listSessions'],
    async run(adapter) {
      const { id } = await storeUser(adapter)
      const session = sampleSession(id)
      await adapter.createSession(session)
      expect(await adapter.listSessions(id)).toEqual([session])
    },
  },
  {
    name: 'of many sessions those are listed that expire last',
    needs: ['createUser', 'createSession', 'listSessions'],
    async run(adapter) {
      const { id } = await storeUser(adapter)
      const ends = [3, 9, 5, 7].map(inHours)
      for (const expires of ends) await adapter.createSession(sampleSession(id, { expires }))
      const listed = await adapter.listSessions(id, 2)
      expect(listed.map(({ expires }) => expires)).toEqual([ends[1], ends[3]])
    },
  },
  {
    name: 'all sessions of a user are deleted but one',
    needs: ['createUser', 'createSession', 'listSessions', 'deleteOtherSessions'],
    async run(adapter) {
      const [user, other] = [await storeUser(adapter), await storeUser(adapter)]
      const [current, ...gone] = [1, 2, 3].map(() => sampleSession(user.id))
      const foreign = sampleSession(other.id)
      for (const each of [current, ...gone, foreign]) if (each) await adapter.createSession(each)
      const { sessionToken = '' } = current ?? {}
      expect(await adapter.deleteOtherSessions({ userId: user.id, sessionToken })).toBe(2)
      expect(await adapter.listSessions(user.id)).toEqual([current])
      expect(await adapter.listSessions(other.id)).toEqual([foreign])
      const nobody = { userId: 'nobody', sessionToken }
      expect(await adapter.deleteOtherSessions(nobody)).toBe(0)
    },
  },
  {
    name: 'of all sessions of a user the tokens that follow the one that stays are kept',
    needs: ['createUser', 'createSession', 'listSessions', 'deleteOtherSessions'],
    async run(adapter) {
      const { id: userId } = await storeUser(adapter)
      const [own, next, other] = [9, 8, 7].map(hours =>
        sampleSession(userId, { expires: inHours(hours) }),
      )
      for (const each of [own, next, other]) if (each) await adapter.createSession(each)
      const successors = [next?.sessionToken ?? '', crypto.randomUUID()]
      const { sessionToken = '' } = own ?? {}
      expect(await adapter.deleteOtherSessions({ userId, sessionToken, successors })).toBe(1)
      expect(await adapter.listSessions(userId)).toEqual([own, next])
    },
  },
  {
    name: 'a session that gets a new token while all others are deleted, or all, is deleted as well',
    needs: [
      ...(['createUser', 'createSession', 'getSessionAndUser', 'deleteSession'] as const),
      ...(['deleteSessions', 'deleteOtherSessions'] as const),
    ],
    async run(adapter) {
      const { id: userId } = await storeUser(adapter)
      for (let round = 0; round < 40; round++) {
        const [own, before, after] = [1, 2, 3].map(() => sampleSession(userId).sessionToken)
        const expires = inHours(1)
        const create = async (sessionToken = '') =>
          adapter.createSession({ sessionToken, userId, expires })
        await Promise.all([create(own), create(before)])
        // As a rotation does it: the new row comes first, and goes if the old one has gone.
        const rotate = async () => {
          await create(after)
          const isThere = await adapter.getSessionAndUser(before ?? '')
          await adapter.deleteSession((isThere ? before : after) ?? '')
        }
        const end = async () =>
          round % 2
            ? adapter.deleteSessions(userId)
            : adapter.deleteOtherSessions({ userId, sessionToken: own ?? '' })
        await Promise.all([rotate(), end()])
        for (const token of [before, after]) {
          expect(await adapter.getSessionAndUser(token ?? ''), `round ${round}`).toBeNull()
        }
      }
    },
  },
  {
    name: 'a session in a cookie is listed with what is known of it',
    needs: ['trackedSessions'],
    async run({ trackedSessions }) {
      const described = sampleTracked(DETAILS)
      const unknown = sampleTracked({ userId: described.userId, expires: inHours(12) })
      for (const each of [unknown, described]) await trackedSessions.add(each)
      expect(await trackedSessions.list(described.userId, 10)).toEqual([described, unknown])
    },
  },
  {
    name: 'of the sessions in cookies those are listed that expire last, and have not',
    needs: ['trackedSessions'],
    async run({ trackedSessions }) {
      const { userId } = sampleTracked()
      const ends = [3, 9, -1, 7].map(inHours)
      for (const expires of ends) await trackedSessions.add(sampleTracked({ userId, expires }))
      const listed = await trackedSessions.list(userId, 2)
      expect(listed.map(({ expires }) => expires)).toEqual([ends[1], ends[3]])
      expect(await trackedSessions.list(userId, 10)).toHaveLength(3)
    },
  },
  {
    name: 'a session in a cookie that is renewed keeps the rest',
    needs: ['trackedSessions'],
    async run({ trackedSessions }) {
      const session = sampleTracked(DETAILS)
      const { id, userId } = session
      const changes = { id, userId, expires: inHours(72), lastSeenAt: inHours(0) }
      expect(await trackedSessions.renew(changes)).toBe(false)
      expect(await trackedSessions.list(userId, 10)).toEqual([])
      await trackedSessions.add(session)
      expect(await trackedSessions.renew(changes)).toBe(true)
      expect(await trackedSessions.renew(changes)).toBe(true)
      expect(await trackedSessions.list(userId, 10)).toEqual([{ ...session, ...changes }])
    },
  },
  {
    name: 'a session in a cookie that two add at once is one',
    needs: ['trackedSessions'],
    async run({ trackedSessions }) {
      const session = sampleTracked(DETAILS)
      await Promise.all(Array.from({ length: 20 }, async () => trackedSessions.add(session)))
      expect(await trackedSessions.list(session.userId, 10)).toEqual([session])
    },
  },
  {
    name: 'sessions in cookies are removed: one, all but one, and all, of one user',
    needs: ['trackedSessions'],
    async run({ trackedSessions }) {
      const { userId } = sampleTracked()
      const foreign = sampleTracked()
      const sessions = [9, 8, 7, 6].map(hours => sampleTracked({ userId, expires: inHours(hours) }))
      for (const each of [...sessions, foreign]) await trackedSessions.add(each)
      const [first, remaining] = sessions.map(({ id }) => id)
      await trackedSessions.remove({ userId, id: first ?? '' })
      expect(await trackedSessions.list(userId, 10)).toEqual(sessions.slice(1))
      await trackedSessions.removeAll(userId, remaining)
      expect(await trackedSessions.list(userId, 10)).toEqual(sessions.slice(1, 2))
      await trackedSessions.removeAll(userId)
      expect(await trackedSessions.list(userId, 10)).toEqual([])
      for (const { id, expires } of sessions) {
        expect(await trackedSessions.renew({ id, userId, expires })).toBe(false)
      }
      expect(await trackedSessions.list(foreign.userId, 10)).toEqual([foreign])
    },
  },
  {
    name: 'several sessions in cookies are removed at once, and those of others stay',
    needs: ['trackedSessions'],
    async run({ trackedSessions }) {
      // Without it, they are removed one at a time.
      if (!trackedSessions.removeSeveral) return
      const { userId } = sampleTracked()
      const foreign = sampleTracked()
      const sessions = [9, 8, 7, 6].map(hours => sampleTracked({ userId, expires: inHours(hours) }))
      for (const each of [...sessions, foreign]) await trackedSessions.add(each)
      const [first, second] = sessions.map(({ id }) => id)
      await trackedSessions.removeSeveral(userId, [first ?? '', second ?? '', 's:unknown'])
      expect(await trackedSessions.list(userId, 10)).toEqual(sessions.slice(2))
      await trackedSessions.removeSeveral(userId, [])
      expect(await trackedSessions.list(userId, 10)).toEqual(sessions.slice(2))
      expect(await trackedSessions.list(foreign.userId, 10)).toEqual([foreign])
    },
  },
  {
    name: 'sessions in cookies go with their user',
    needs: ['trackedSessions', 'createUser', 'deleteUser'],
    async run(adapter) {
      const { id: userId } = await storeUser(adapter)
      await adapter.trackedSessions.add(sampleTracked({ userId }))
      await adapter.deleteUser(userId)
      expect(await adapter.trackedSessions.list(userId, 10)).toEqual([])
    },
  },
  {
    name: 'a user whose id differs by a letter’s case has other sessions in cookies',
    needs: ['trackedSessions'],
    async run({ trackedSessions }) {
      const userId = `ann ${crypto.randomUUID()}`
      await trackedSessions.add(sampleTracked({ userId }))
      for (const other of [userId.toUpperCase(), `${userId} `, userId.replace('a', 'á')]) {
        expect(await trackedSessions.list(other, 10), other).toEqual([])
      }
    },
  },
]

function sampleTracked(overrides: Partial<TrackedSession> = {}): TrackedSession {
  const id = crypto.randomUUID()
  return { id: `s:${id}`, userId: `user of ${id}`, expires: inHours(24), ...overrides }
}
