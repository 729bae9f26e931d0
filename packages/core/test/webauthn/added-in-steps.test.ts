import type { Adapter } from '@siteauth/core/adapters'
import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { ADA, createPasskeyApplication, ORIGIN, outcomeOf } from './passkey-application.ts'
import { SoftwareAuthenticator } from './software-authenticator.ts'

// An adapter without linkAccountIf stores the account of a new passkey, then its key, and is asked afterwards whether the person is
// still signed in.

/** Ada, who is signed in, adds a passkey of a second device. Something happens as soon as the store has its key. */
async function addKey(
  act: (world: Awaited<ReturnType<typeof createWorld>>) => Promise<unknown>,
  absent?: 'deleteAuthenticator',
) {
  const world = await createWorld(absent)
  const { ada, store, device, onKey } = world
  const options = await ada.options({ action: 'register' })
  onKey(() => act(world))
  const outcome = outcomeOf(await ada.answer('register', device.create(options)))
  const keys = await store.listAuthenticatorsByUserId(world.userId)
  return {
    ...world,
    outcome,
    counts: [(await store.listAccounts(world.userId)).length, keys.length],
  }
}

async function createWorld(absent?: 'deleteAuthenticator') {
  const store = MemoryAdapter()
  const { linkAccountIf, ...steps } = store
  let stored: () => Promise<unknown> = async () => {}
  const adapter: Adapter = {
    ...steps,
    async createAuthenticator(key) {
      const row = await store.createAuthenticator(key)
      await stored()
      return row
    },
  }
  if (absent) delete adapter[absent]
  const application = createPasskeyApplication({
    adapter,
    config: { session: { strategy: 'database' } },
  })
  const ada = application.person()
  await ada.register(ADA)
  const device = new SoftwareAuthenticator(ORIGIN)
  const userId = (await store.getUserByEmail(ADA))?.id ?? ''
  const leave = async () => store.deleteSession(ada.browser.cookies.get(SESSION) ?? '')
  /** Somebody comes in with the second device. */
  const other = application.person(device)
  const comeIn = () => other.signIn()
  const onKey = (act: () => Promise<unknown>) => {
    stored = act
  }
  return { store, ada, device, userId, leave, other, comeIn, onKey }
}

const SESSION = '__Secure-authjs.session-token'

describe('a passkey that is added in steps', () => {
  it('signs in', async () => {
    const { outcome, counts, ada, other } = await addKey(async () => {})
    expect([outcome, counts]).toEqual([ORIGIN, [2, 2]])
    await other.signIn()
    expect([await ada.email(), await other.email()]).toEqual([ADA, ADA])
  })

  it('is removed, with its account, if its user has left meanwhile, and a person who has come in by it is signed out', async () => {
    const { outcome, counts, other } = await addKey(async ({ comeIn, leave, other: person }) => {
      await comeIn()
      expect(await person.email()).toBe(ADA)
      await leave()
    })
    expect([outcome, counts]).toEqual(['InvalidCheck', [1, 1]])
    expect(await other.email()).toBeUndefined()
  })

  it('is removed, and signs nobody out, if the address of the user is verified', async () => {
    const { store, ada, device, userId, leave, other, comeIn, onKey } = await createWorld()
    await store.updateUser({ id: userId, emailVerified: new Date() })
    const options = await ada.options({ action: 'register' })
    onKey(async () => {
      await comeIn()
      await leave()
    })
    expect(outcomeOf(await ada.answer('register', device.create(options)))).toBe('InvalidCheck')
    expect(await store.listAuthenticatorsByUserId(userId)).toHaveLength(1)
    expect(await other.email()).toBe(ADA)
  })

  it('fails in the same way in a store that removes no keys', async () => {
    const { outcome, counts } = await addKey(({ leave }) => leave(), 'deleteAuthenticator')
    expect([outcome, counts]).toEqual(['InvalidCheck', [1, 2]])
  })

  it('leaves no account behind if its key cannot be stored', async () => {
    const { outcome, store, userId } = await addKey(async () => {
      throw new Error('disk full')
    })
    expect(outcome).toBe('Configuration')
    expect(await store.listAccounts(userId)).toHaveLength(1)
  })
})

it('a sign-up with a passkey ends if its user changes before the key is stored', async () => {
  const store = MemoryAdapter()
  const adapter: Adapter = { ...store, linkAccountIf: () => 'changed' }
  const { person } = createPasskeyApplication({ adapter })
  expect(outcomeOf(await person().register(ADA))).toBe('InvalidCheck')
  expect(await store.getUserByEmail(ADA)).toBeNull()
})
