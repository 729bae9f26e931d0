import type { AuthConfig } from '@siteauth/core'
import type { PasswordMail } from '@siteauth/core/providers'
import Password from '@siteauth/core/providers/password'
import { beforeEach, describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { ANN, askForLink, BETTER, CHEAP, choose } from '../passwords/application.ts'
import { createTestAuth, Visitor } from '../visitor.ts'
import { createLog } from './network.ts'

// Tenants with a database each, which have given the same id to different people, and with one log for all.

const SECOND = 1000

let clock: { now: number }
let network: ReturnType<typeof createLog>

beforeEach(() => {
  clock = { now: Date.UTC(2030, 0, 1) }
  network = createLog(() => clock.now)
})

/** A tenant, with the database of its own, or with that of another. */
async function createTenant(
  audience: string,
  { store = MemoryAdapter(), ...session }: AuthConfig['session'] & { store?: Store } = {},
) {
  const known = await store.getUserByEmail(ANN)
  const user = known ?? (await store.createUser({ id: '1', email: ANN, emailVerified: new Date() }))
  const mails: PasswordMail[] = []
  const auth = createTestAuth({
    adapter: store,
    providers: [
      {
        id: 'credentials',
        name: 'Credentials',
        type: 'credentials',
        credentials: {},
        authorize: () => ({ id: '1', name: audience }),
      },
      Password({ mail: mail => void mails.push(mail), hashing: CHEAP }),
    ],
    session: { strategy: 'jwt', audience, revocation: { log: { ...network.log } }, ...session },
    ports: { now: () => clock.now },
  })
  return {
    auth,
    mails,
    user,
    store,
    visitor: () => new Visitor(auth.handle),
    async signIn(): Promise<Visitor> {
      const visitor = new Visitor(auth.handle)
      await visitor.post('/callback/credentials')
      return visitor
    },
  }
}

type Store = ReturnType<typeof MemoryAdapter>
type Tenant = Awaited<ReturnType<typeof createTenant>>

/** Everything by which a tenant ends all sessions of its user 1. */
const ENDINGS: Readonly<Record<string, (tenant: Tenant) => Promise<unknown>>> = {
  'users.endSessions': ({ auth, user }) => auth.users.endSessions(user.id),
  'users.revokeAccess': ({ auth, user }) => auth.users.revokeAccess(user.id),
  async 'a new password'(tenant) {
    const visitor = tenant.visitor()
    expect(await choose(visitor, await askForLink(tenant, visitor, 'forgot'), BETTER)).toBe('in')
  },
}

async function isIn(visitor: Visitor): Promise<boolean> {
  clock.now += 60 * SECOND
  return (await visitor.session()) !== null
}

describe.each(Object.keys(ENDINGS))('%s at one tenant', name => {
  it.each(['jwt', 'database'] as const)(
    'ends its sessions, and none of user 1 of another with a database of its own: %s',
    async strategy => {
      const a = await createTenant('a', { strategy })
      const b = await createTenant('b')
      const [own, other] = [await a.signIn(), await b.signIn()]
      expect(await isIn(own)).toBe(true)
      await ENDINGS[name]?.(a)
      expect(await isIn(own)).toBe(false)
      expect(await isIn(other)).toBe(true)
    },
  )

  it('ends those of all tenants of its database if the log is that of the database', async () => {
    const store = MemoryAdapter()
    const revocation = { log: store.revocations }
    const a = await createTenant('a', { store, revocation })
    const b = await createTenant('b', { store, revocation })
    const [own, other] = [await a.signIn(), await b.signIn()]
    await ENDINGS[name]?.(a)
    expect(await isIn(own)).toBe(false)
    expect(await isIn(other)).toBe(false)
  })
})

describe('a sign-in in progress', () => {
  it.each(['jwt', 'database'] as const)(
    'goes on if another tenant with a database of its own ends its user of the same id: %s',
    async strategy => {
      const a = await createTenant('a', { strategy })
      const b = await createTenant('b', { strategy })
      const visitor = b.visitor()
      const link = await askForLink(b, visitor, 'forgot')
      clock.now += SECOND
      await a.auth.users.endSessions('1')
      clock.now += SECOND
      expect(await choose(visitor, link, BETTER)).toBe('in')
      expect(await isIn(visitor)).toBe(true)
    },
  )

  it.each(['jwt', 'database'] as const)('ends if its own tenant does: %s', async strategy => {
    const a = await createTenant('a', { strategy })
    const visitor = a.visitor()
    const link = await askForLink(a, visitor, 'forgot')
    clock.now += SECOND
    await a.auth.users.endSessions('1')
    clock.now += SECOND
    await choose(visitor, link, BETTER)
    expect(await isIn(visitor)).toBe(false)
  })
})
