import type { AuthConfig } from '@siteauth/core'
import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { createLogoutWorld } from '../oauth/logout-world.ts'
import { at, createLog } from '../revocation/network.ts'
import { createTestAuth, Visitor } from '../visitor.ts'
import { HOUR, isIn } from './site.ts'

type JwtCallback = NonNullable<NonNullable<AuthConfig['callbacks']>['jwt']>

/** The two ways in which applications take over what a visitor sends. */
const MERGES = {
  'a new object': (token: object, session: unknown) => ({ ...token, ...(session as object) }),
  'the object that it is given': (token: object, session: unknown) =>
    Object.assign(token, session as object),
}
const NAMES = Object.keys(MERGES) as (keyof typeof MERGES)[]

function server(merge: keyof typeof MERGES, session: object, now: () => number) {
  return createTestAuth({
    providers: [
      {
        id: 'password',
        name: 'Password',
        type: 'credentials',
        credentials: {},
        authorize: () => ({ id: 'ann', name: 'Ann' }),
      },
    ],
    callbacks: {
      jwt: ({ token, trigger, session: sent }) =>
        (trigger === 'update' ? MERGES[merge](token, sent) : token) as typeof token,
    },
    session: { strategy: 'jwt', ...session },
    ports: { now },
  })
}

describe('a visitor whose update the jwt callback takes over', () => {
  it.each(NAMES)('does not extend the absolute age of the session: %s', async merge => {
    const clock = { now: Date.UTC(2030, 0, 1) }
    const lifetime = { absoluteAge: 2 * 3600, maxAge: 3600, updateAge: 60 }
    const auth = server(merge, { revocation: false, ...lifetime }, () => clock.now)
    const visitor = new Visitor(auth.handle)
    await visitor.post('/callback/password')
    for (let hours = 0; hours < 5; hours += 0.5) {
      await visitor.postJson('/session', { data: { siteauth: { bgn: clock.now } } })
      await visitor.session()
      clock.now += HOUR / 2
    }
    expect(await visitor.session()).toBeNull()
  })

  it.each(NAMES)(
    'does not give the session another id at a server without the log: %s',
    async merge => {
      const clock = { now: Date.UTC(2030, 0, 1) }
      const now = () => clock.now
      const { log } = createLog(now)
      const withLog = server(merge, { revocation: { log } }, now)
      const stateless = server(merge, {}, now)
      const visitor = new Visitor(withLog.handle)
      await visitor.post('/callback/password')
      const thief = at(stateless, visitor)
      await thief.postJson('/session', { data: { siteauth: { sid: 'abc', gen: 9e15 } } })
      const later = at(withLog, thief)
      expect(await isIn(later)).toBe(true)
      await withLog.users.endSessions('ann')
      clock.now += HOUR / 60
      expect(await isIn(later)).toBe(false)
    },
  )
})

describe('a jwt callback that changes objects in place', () => {
  /** Changes the keys by which the provider ends the session, in the very object. */
  const jwt: JwtCallback = ({ token, user }) => {
    const { rk } = Object(token['siteauth']) as { rk?: object }
    if (!user && rk) Object.assign(rk, { sid: 'x'.repeat(22), sub: 'y'.repeat(22) })
    return token
  }

  it.each(['a renewal', 'an update'])(
    'does not hide a session from its provider at %s',
    async occasion => {
      const world = await createLogoutWorld({ callbacks: { jwt } })
      const visitor = await world.signIn('ann', 'p1')
      world.clock.now += 25 * HOUR
      if (occasion === 'an update') await visitor.postJson('/session', { data: {} })
      else await visitor.session()
      expect(await isIn(visitor)).toBe(true)
      expect((await world.send({ sub: 'ann', sid: 'p1' })).status).toBe(200)
      expect(await isIn(visitor)).toBe(false)
    },
  )

  it('does not keep a sign-in from ending when its user is revoked meanwhile', async () => {
    const store = MemoryAdapter()
    await store.createUser({ id: 'ann', name: 'Ann', email: 'ann@a.test', emailVerified: null })
    const auth = createTestAuth({
      adapter: store,
      providers: [
        {
          id: 'password',
          name: 'Password',
          type: 'credentials',
          credentials: {},
          authorize: () => store.getUser('ann'),
        },
      ],
      session: { strategy: 'jwt' },
      callbacks: {
        async jwt({ token, user }) {
          if (user) {
            await auth.users.endSessions('ann')
            Object.assign(user, { id: 'somebody' })
          }
          return token
        },
      },
    })
    const visitor = new Visitor(auth.handle)
    const answer = await visitor.post('/callback/password')
    expect(answer.headers.get('location')).toContain('error=')
    expect(await isIn(visitor)).toBe(false)
  })
})
