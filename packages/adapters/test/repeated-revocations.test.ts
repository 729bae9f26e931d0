import { PrismaAdapter } from '@auth/prisma-adapter'
import { PrismaPg } from '@prisma/adapter-pg'
import { type AuthInstance, createAuth } from '@siteauth/core'
import type { Adapter } from '@siteauth/core/adapters'
import { Redis } from 'ioredis'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { isIn, rotated } from '../../core/test/sessions/site.ts'
import { SECRET, Visitor } from '../../core/test/visitor.ts'
import { RedisAdapter } from '../src/redis.ts'
import { AUTHJS_PRISMA_TABLES } from './authjs-tables.ts'
import { PrismaClient } from './prisma/client.mjs'
import { createPostgresDatabase, POSTGRES_URL, REDIS_URL } from './servers.ts'

const ORIGIN = 'https://app.example.com'

/** An application with Ann in its store, and Ann in a browser. */
async function openSite(store: Adapter) {
  const user = await store.createUser?.({
    id: crypto.randomUUID(),
    name: 'Ann',
    email: 'ann@example.test',
    emailVerified: null,
  })
  const node = (adapter: Adapter): AuthInstance =>
    createAuth(
      {
        secret: SECRET,
        adapter,
        logger: { error() {} },
        session: { strategy: 'database' },
        providers: [
          {
            id: 'password',
            name: 'Password',
            type: 'credentials',
            credentials: {},
            authorize: async () => (await store.getUser?.(user?.id ?? '')) ?? null,
          },
        ],
      },
      { env: { NODE_ENV: 'test', AUTH_URL: `${ORIGIN}/auth` } },
    )
  const auth = node(store)
  const ann = new Visitor(auth.handle)
  await ann.post('/callback/password')
  return { auth, node, ann }
}

describe.skipIf(!POSTGRES_URL)(
  '@auth/prisma-adapter, which cannot delete what is not there',
  () => {
    it('ends the new token when somebody signs out with the old one', async () => {
      const pool = new pg.Pool({ connectionString: await createPostgresDatabase() })
      await pool.query(AUTHJS_PRISMA_TABLES)
      const store = PrismaAdapter(new PrismaClient({ adapter: new PrismaPg(pool) })) as Adapter
      const { auth, ann } = await openSite(store)
      const renewed = (await rotated(auth, ann)) ?? ann
      await ann.post('/signout')
      const isLeft = await isIn(renewed)
      await pool.end()
      expect(isLeft).toBe(false)
    })
  },
)

describe.skipIf(!REDIS_URL)('a session in Redis that begins while its user is ended', () => {
  it('is ended when the user is ended once more', async () => {
    const client = new Redis(String(REDIS_URL))
    const prefix = `${crypto.randomUUID()}:`
    const store = RedisAdapter({ client, prefix })
    const user = await store.createUser({
      id: crypto.randomUUID(),
      name: 'Ann',
      email: 'ann@example.test',
      emailVerified: null,
    })
    // Between the list of a user's sessions and the session itself.
    const slow = new Proxy(client, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        return async (...args: unknown[]) => {
          if (String(args[0]).toLowerCase() === 'set' && String(args[1]).includes('session:')) {
            await store.deleteSessions(user.id)
          }
          return member.apply(target, args)
        }
      },
    })
    const session = {
      sessionToken: crypto.randomUUID(),
      userId: user.id,
      expires: new Date(Date.now() + 3_600_000),
    }
    await RedisAdapter({ client: slow, prefix }).createSession(session)
    await store.deleteSessions(user.id)
    const left = await store.getSessionAndUser(session.sessionToken)
    client.disconnect()
    expect(left).toBeNull()
  })
})
