import type { SessionRenewal } from '@siteauth/core/adapters'
import { expect } from 'vitest'
import type { AdapterCase } from './adapter-case.ts'
import {
  expectDate,
  expectSession,
  expectUser,
  inHours,
  sampleSession,
  storeUser,
} from './samples.ts'

export const SESSION_CASES: readonly AdapterCase[] = [
  {
    name: 'createSession answers the stored session',
    needs: ['createUser', 'createSession'],
    async run(adapter) {
      const user = await storeUser(adapter)
      const session = sampleSession(user.id)
      expectSession(await adapter.createSession(session), session)
    },
  },
  {
    name: 'createSession refuses a token that exists, and leaves its session as it is',
    needs: ['extends', 'createUser', 'createSession', 'getSessionAndUser'],
    async run(adapter) {
      const [ann, bob] = [await storeUser(adapter), await storeUser(adapter)]
      const session = sampleSession(ann.id)
      await adapter.createSession(session)
      const again = async () => adapter.createSession({ ...session, userId: bob.id })
      await expect(again()).rejects.toThrow()
      const found = await adapter.getSessionAndUser(session.sessionToken)
      expectSession(found?.session, session)
    },
  },
  {
    name: 'getSessionAndUser finds a session and its user by token',
    needs: ['createUser', 'createSession', 'getSessionAndUser'],
    async run(adapter) {
      const emailVerified = inHours(-1)
      const user = await storeUser(adapter, { emailVerified })
      const session = sampleSession(user.id)
      await adapter.createSession(session)
      const found = await adapter.getSessionAndUser(session.sessionToken)
      expectSession(found?.session, session)
      expectUser(found?.user ?? null, user)
      expectDate(found?.user.emailVerified, emailVerified)
    },
  },
  {
    name: 'getSessionAndUser answers null for a token that nobody has',
    needs: ['getSessionAndUser'],
    async run(adapter) {
      expect(await adapter.getSessionAndUser(crypto.randomUUID())).toBeNull()
    },
  },
  {
    name: 'a session token in other letters is another token',
    needs: ['createUser', 'createSession', 'getSessionAndUser'],
    async run(adapter) {
      const user = await storeUser(adapter)
      const sessionToken = `abc${crypto.randomUUID()}`
      await adapter.createSession(sampleSession(user.id, { sessionToken }))
      const others = [sessionToken.replace('abc', 'ABC'), `${sessionToken} `, `${sessionToken}%`]
      for (const other of others) {
        expect(await adapter.getSessionAndUser(other), other).toBeNull()
      }
    },
  },
  {
    name: 'an expired session is answered with its date, or not at all',
    needs: ['createUser', 'createSession', 'getSessionAndUser'],
    async run(adapter) {
      const user = await storeUser(adapter)
      const session = sampleSession(user.id, { expires: inHours(-1) })
      await adapter.createSession(session)
      const found = await adapter.getSessionAndUser(session.sessionToken)
      if (found) expectSession(found.session, session)
      else expect(found).toBeNull()
    },
  },
  {
    name: 'expires keeps its milliseconds',
    needs: ['createUser', 'createSession', 'getSessionAndUser'],
    async run(adapter) {
      const user = await storeUser(adapter)
      const session = sampleSession(user.id)
      await adapter.createSession(session)
      const found = await adapter.getSessionAndUser(session.sessionToken)
      expectDate(found?.session.expires, session.expires, 0)
    },
  },
  {
    name: 'a session may last ten years',
    needs: ['createUser', 'createSession', 'getSessionAndUser'],
    async run(adapter) {
      const user = await storeUser(adapter)
      const session = sampleSession(user.id, { expires: inHours(24 * 3652) })
      await adapter.createSession(session)
      expectSession((await adapter.getSessionAndUser(session.sessionToken))?.session, session)
    },
  },
  {
    name: 'one user has several sessions',
    needs: ['createUser', 'createSession', 'getSessionAndUser'],
    async run(adapter) {
      const user = await storeUser(adapter)
      const sessions = [sampleSession(user.id), sampleSession(user.id, { expires: inHours(2) })]
      for (const session of sessions) await adapter.createSession(session)
      for (const session of sessions) {
        expectSession((await adapter.getSessionAndUser(session.sessionToken))?.session, session)
      }
    },
  },
  {
    name: 'getSessionAndUser answers the user as it is now',
    needs: ['createUser', 'updateUser', 'createSession', 'getSessionAndUser'],
    async run(adapter) {
      const user = await storeUser(adapter)
      const session = sampleSession(user.id)
      await adapter.createSession(session)
      await adapter.updateUser({ id: user.id, name: 'Another name' })
      const found = await adapter.getSessionAndUser(session.sessionToken)
      expect(found?.user.name).toBe('Another name')
    },
  },
  {
    name: 'updateSession moves the expiry and keeps the user',
    needs: ['createUser', 'createSession', 'updateSession', 'getSessionAndUser'],
    async run(adapter) {
      const user = await storeUser(adapter)
      const session = sampleSession(user.id)
      await adapter.createSession(session)
      const expires = inHours(48)
      await adapter.updateSession({ sessionToken: session.sessionToken, expires })
      const found = await adapter.getSessionAndUser(session.sessionToken)
      expectSession(found?.session, { ...session, expires })
      expectUser(found?.user ?? null, user)
    },
  },
  {
    name: 'updateSession of a token that nobody has makes no session',
    needs: ['updateSession', 'getSessionAndUser'],
    async run(adapter) {
      const sessionToken = crypto.randomUUID()
      const result = await adapter.updateSession({ sessionToken, expires: inHours(1) })
      expect(result ?? null).toBeNull()
      expect(await adapter.getSessionAndUser(sessionToken)).toBeNull()
    },
  },
  {
    name: 'updateSession does not bring back a session that is deleted meanwhile',
    needs: ['createUser', 'createSession', 'updateSession', 'deleteSession', 'getSessionAndUser'],
    async run(adapter) {
      const user = await storeUser(adapter)
      for (let round = 0; round < 20; round++) {
        const session = sampleSession(user.id)
        const { sessionToken } = session
        await adapter.createSession(session)
        await Promise.allSettled([
          (async () => adapter.updateSession({ sessionToken, expires: inHours(2) }))(),
          (async () => adapter.deleteSession(sessionToken))(),
        ])
        expect(await adapter.getSessionAndUser(sessionToken)).toBeNull()
      }
    },
  },
  {
    name: 'getAndRenewSession answers a session that is not due as it is',
    needs: ['createUser', 'createSession', 'getAndRenewSession', 'getSessionAndUser'],
    async run(adapter) {
      for (const renewal of [RARE_RENEWAL, FREQUENT_RENEWAL]) {
        const user = await storeUser(adapter)
        const session = sampleSession(user.id, { expires: new Date(Date.now() + 3_599_000) })
        await adapter.createSession(session)
        const found = await adapter.getAndRenewSession(session.sessionToken, renewal())
        expect(found?.isRenewed).toBe(false)
        expectSession(found?.session, session)
        expectUser(found?.user ?? null, user)
        expectSession((await adapter.getSessionAndUser(session.sessionToken))?.session, session)
      }
    },
  },
  {
    name: 'getAndRenewSession extends a session that is due',
    needs: ['createUser', 'createSession', 'getAndRenewSession', 'getSessionAndUser'],
    async run(adapter) {
      for (const renewal of [RARE_RENEWAL(), FREQUENT_RENEWAL()]) {
        const user = await storeUser(adapter)
        // One that is nearly over, and one from the time when sessions were longer.
        for (const expires of [inHours(0.5), inHours(24)]) {
          const session = sampleSession(user.id, { expires })
          await adapter.createSession(session)
          const renewed = { ...session, expires: renewal.expires }
          const found = await adapter.getAndRenewSession(session.sessionToken, renewal)
          expect(found?.isRenewed).toBe(true)
          expectSession(found?.session, renewed)
          expectUser(found?.user ?? null, user)
          expectSession((await adapter.getSessionAndUser(session.sessionToken))?.session, renewed)
        }
      }
    },
  },
  {
    name: 'getAndRenewSession does not extend a session that has ended',
    needs: ['createUser', 'createSession', 'getAndRenewSession', 'getSessionAndUser'],
    async run(adapter) {
      for (const renewal of [RARE_RENEWAL(), FREQUENT_RENEWAL()]) {
        const user = await storeUser(adapter)
        const session = sampleSession(user.id, { expires: inHours(-1) })
        await adapter.createSession(session)
        const found = await adapter.getAndRenewSession(session.sessionToken, renewal)
        if (found) expectSession(found.session, session)
        expect(found?.isRenewed ?? false).toBe(false)
        const stored = await adapter.getSessionAndUser(session.sessionToken)
        if (stored) expectSession(stored.session, session)
      }
    },
  },
  {
    name: 'getAndRenewSession answers null for a token that nobody has, and makes no session',
    needs: ['getAndRenewSession', 'getSessionAndUser'],
    async run(adapter) {
      for (const renewal of [RARE_RENEWAL(), FREQUENT_RENEWAL()]) {
        const sessionToken = crypto.randomUUID()
        expect(await adapter.getAndRenewSession(sessionToken, renewal)).toBeNull()
        expect(await adapter.getSessionAndUser(sessionToken)).toBeNull()
      }
    },
  },
  {
    name: 'getAndRenewSession does not bring back a session that is deleted meanwhile',
    needs: [
      ...(['createUser', 'createSession', 'deleteSession'] as const),
      ...(['getAndRenewSession', 'getSessionAndUser'] as const),
    ],
    async run(adapter) {
      const user = await storeUser(adapter)
      for (let round = 0; round < 20; round++) {
        const session = sampleSession(user.id, { expires: inHours(0.5) })
        const { sessionToken } = session
        await adapter.createSession(session)
        const renewal = round % 2 ? RARE_RENEWAL() : FREQUENT_RENEWAL()
        await Promise.allSettled([
          (async () => adapter.getAndRenewSession(sessionToken, renewal))(),
          (async () => adapter.deleteSession(sessionToken))(),
        ])
        expect(await adapter.getSessionAndUser(sessionToken)).toBeNull()
      }
    },
  },
  {
    name: 'deleteSession removes that session and leaves the user and other sessions',
    needs: ['createUser', 'getUser', 'createSession', 'deleteSession', 'getSessionAndUser'],
    async run(adapter) {
      const user = await storeUser(adapter)
      const [gone, remaining] = [sampleSession(user.id), sampleSession(user.id)]
      await adapter.createSession(gone)
      await adapter.createSession(remaining)
      await adapter.deleteSession(gone.sessionToken)
      expect(await adapter.getSessionAndUser(gone.sessionToken)).toBeNull()
      expectSession((await adapter.getSessionAndUser(remaining.sessionToken))?.session, remaining)
      expectUser(await adapter.getUser(user.id), user)
    },
  },
  {
    name: 'deleteSession answers the deleted session, or nothing',
    needs: ['createUser', 'createSession', 'deleteSession'],
    async run(adapter) {
      const user = await storeUser(adapter)
      const session = sampleSession(user.id)
      await adapter.createSession(session)
      const result = await adapter.deleteSession(session.sessionToken)
      if (result) expectSession(result, session)
    },
  },
  {
    name: 'deleteSession answers the session to one of two who delete it at once',
    needs: ['createUser', 'createSession', 'deleteSession', 'listSessions'],
    async run(adapter) {
      const user = await storeUser(adapter)
      for (let round = 0; round < 10; round++) {
        const session = sampleSession(user.id)
        await adapter.createSession(session)
        const results = await Promise.all(
          [1, 2].map(async () => adapter.deleteSession(session.sessionToken)),
        )
        expect(results.filter(Boolean)).toHaveLength(1)
      }
    },
  },
  {
    name: 'deleteSession of a token that nobody has is no error',
    needs: ['deleteSession'],
    async run(adapter) {
      await adapter.deleteSession(crypto.randomUUID())
    },
  },
  {
    name: 'a session token of 255 characters is kept whole',
    needs: ['createUser', 'createSession', 'getSessionAndUser'],
    async run(adapter) {
      const user = await storeUser(adapter)
      const sessionToken = crypto.randomUUID().padEnd(255, 'x')
      const session = sampleSession(user.id, { sessionToken })
      await adapter.createSession(session)
      expectSession((await adapter.getSessionAndUser(sessionToken))?.session, session)
      expect(await adapter.getSessionAndUser(sessionToken.slice(0, -1))).toBeNull()
    },
  },
]

/** Sessions of an hour that are renewed after that many seconds. */
function renewalAfter(seconds: number): SessionRenewal {
  const now = Date.now()
  const end = now + 3_600_000
  return {
    now: new Date(now),
    dueUntil: new Date(end - seconds * 1000),
    dueAfter: new Date(end + 60_000),
    expires: new Date(end),
  }
}

// A store may go about the two in different ways.
const RARE_RENEWAL = () => renewalAfter(600)
const FREQUENT_RENEWAL = () => renewalAfter(10)
