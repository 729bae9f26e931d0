import { afterEach, describe, expect, it, vi } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import type { Visitor } from '../visitor.ts'
import { guardedApplication, tryPassword } from './guarded.ts'

/** Ann's browser, and an account at which strangers have used up all guesses. */
async function guessedAt(config: Parameters<typeof guardedApplication>[0] = {}) {
  const app = guardedApplication({
    adapter: MemoryAdapter(),
    session: { strategy: 'jwt' },
    ...config,
  })
  const known = app.visitor()
  await tryPassword(known, 'ann', 'right ann')
  for (let guess = 0; guess < 5; guess++) await tryPassword(app.visitor(), 'ann', 'wrong')
  return { ...app, known }
}

const status = async (visitor: Visitor) =>
  (await visitor.post('/callback/credentials', { username: 'ann', password: 'right ann' })).status

afterEach(() => {
  vi.useRealTimers()
})

describe('a browser that has signed in before', () => {
  it('signs in while strangers guess', async () => {
    const { known, visitor } = await guessedAt()
    expect(await status(visitor())).toBe(429)
    expect(await status(known)).not.toBe(429)
  })

  it.each(['endSessions', 'revokeAccess'] as const)(
    'is not known any more after users.%s',
    async call => {
      const { users, known, clock } = await guessedAt()
      clock.now += 1
      await users[call]('ann')
      expect(await status(known)).toBe(429)
    },
  )

  it('does not become known again while its cookie lasts, however short sessions are', async () => {
    const start = Date.UTC(2030, 0, 1)
    vi.useFakeTimers({ toFake: ['Date'], now: start }) // the clock of the store
    const adapter = MemoryAdapter()
    const session = { strategy: 'jwt', maxAge: 3600 } as const
    const { users, known } = await guessedAt({ adapter, session })
    vi.setSystemTime(start + 1000)
    await users.revokeAccess('ann')
    vi.setSystemTime(start + 29 * 86_400_000)
    await users.revokeAccess('bob') // the store forgets what has expired
    // A server that has just started remembers nothing itself.
    const restarted = guardedApplication({
      adapter: { ...adapter, revocations: { ...adapter.revocations } },
      session,
    })
    restarted.clock.now = start + 29 * 86_400_000
    const browser = restarted.visitor()
    for (const [name, value] of known.cookies) browser.cookies.set(name, value)
    for (let guess = 0; guess < 5; guess++) await tryPassword(restarted.visitor(), 'ann', 'wrong')
    expect(await status(browser)).toBe(429)
  })

  it('is known if the user signs in there after the revocation', async () => {
    const { users, known, clock, visitor } = await guessedAt()
    await users.revokeAccess('ann')
    clock.now += 86_400_000
    expect(await status(known)).not.toBe(429)
    for (let guess = 0; guess < 5; guess++) await tryPassword(visitor(), 'ann', 'wrong')
    expect(await status(known)).not.toBe(429)
  })

  it('stays known if the sessions of another user are ended', async () => {
    const { users, known } = await guessedAt()
    await users.revokeAccess('bob')
    expect(await status(known)).not.toBe(429)
  })

  it('is not known if the sign-in is revoked before its response', async () => {
    const revocations: (() => Promise<unknown>)[] = []
    const app = guardedApplication({
      adapter: MemoryAdapter(),
      session: { strategy: 'jwt' },
      events: { signIn: async () => void (await revocations.pop()?.()) },
    })
    revocations.push(() => app.users.revokeAccess('ann'))
    const thief = app.visitor()
    await tryPassword(thief, 'ann', 'right ann')
    expect(await thief.session()).toBeNull()
    for (let guess = 0; guess < 5; guess++) await tryPassword(app.visitor(), 'ann', 'wrong')
    expect(await status(thief)).toBe(429)
  })
})
