import { expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { ANN, GOOD, passwordApplication, signIn, signUp } from './application.ts'

it.each(
  (['jwt', 'database'] as const).flatMap(strategy => [
    [strategy, 'before'] as const,
    [strategy, 'after'] as const,
  ]),
)(
  'a password stays if all sessions are revoked while one of them removes it: %s, %s it was replaced',
  async (strategy, moment) => {
    const store = MemoryAdapter()
    let act = async () => {}
    const app = passwordApplication({
      adapter: {
        ...store,
        passwords: {
          ...store.passwords,
          async set(...args) {
            if (moment === 'before') await act()
            const isStored = await store.passwords.set(...args)
            if (moment === 'after') await act()
            return isStored
          },
        },
      },
      session: { strategy },
      providers: [{ id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest: () => {} }],
    })
    await signUp(app)
    const thief = app.visitor()
    expect(await signIn(thief)).toBe('in')
    const { id } = (await store.getUserByEmail(ANN)) ?? { id: '' }
    const before = await store.passwords.get(id)
    act = async () => {
      act = async () => {}
      await app.users.endSessions(id)
    }
    await thief.post('/password/remove', { currentPassword: GOOD })
    expect(await thief.session()).toBeNull()
    expect(await store.passwords.get(id)).toEqual(before)
    expect(await signIn(app.visitor())).toBe('in')
  },
)

it('a password that is reset while the old one is removed stays', async () => {
  const store = MemoryAdapter()
  let act = async () => {}
  const app = passwordApplication({
    adapter: {
      ...store,
      passwords: {
        ...store.passwords,
        async remove(...args) {
          await act()
          return store.passwords.remove(...args)
        },
      },
    },
    session: { strategy: 'database' },
    providers: [{ id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest: () => {} }],
  })
  await signUp(app)
  const owner = app.visitor()
  expect(await signIn(owner)).toBe('in')
  const { id: userId } = (await store.getUserByEmail(ANN)) ?? { id: '' }
  const reset = { userId, hash: '$2b$10$reset', changedAt: new Date(0) }
  act = async () => void (await store.passwords.set(reset))
  await owner.post('/password/remove', { currentPassword: GOOD })
  expect(await store.passwords.get(userId)).toEqual(reset)
})
