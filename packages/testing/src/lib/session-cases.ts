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
      const answer = await adapter.updateSession({ sessionToken, expires: inHours(1) })
      expect(answer ?? null).toBeNull()
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
    name: 'deleteSession removes that session and leaves the user and other sessions',
    needs: ['createUser', 'getUser', 'createSession', 'deleteSession', 'getSessionAndUser'],
    async run(adapter) {
      const user = await storeUser(adapter)
      const [gone, kept] = [sampleSession(user.id), sampleSession(user.id)]
      await adapter.createSession(gone)
      await adapter.createSession(kept)
      await adapter.deleteSession(gone.sessionToken)
      expect(await adapter.getSessionAndUser(gone.sessionToken)).toBeNull()
      expectSession((await adapter.getSessionAndUser(kept.sessionToken))?.session, kept)
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
      const answer = await adapter.deleteSession(session.sessionToken)
      if (answer) expectSession(answer, session)
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
