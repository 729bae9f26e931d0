import { devise } from '@siteauth/core/passwords'
import { describe, expect, it } from 'vitest'
import { passwordApplication, signIn, WRONG, whoIsIn } from './application.ts'
import { TABLE, verifiers } from './old-table.ts'

describe('a table of users that was taken over', () => {
  it.each(Object.entries(TABLE))(
    '%s: signs in, and is hashed anew',
    async (id, [hash, password]) => {
      const app = passwordApplication({}, { verifiers })
      const email = `${id}@example.com`
      await app.adapter.createUser({ id, email, emailVerified: null })
      await app.adapter.passwords.set({ userId: id, hash, changedAt: new Date(0) })
      expect(await signIn(app.visitor(), email, `${password}!`)).toBe(WRONG)
      expect((await app.adapter.passwords.get(id))?.hash).toBe(hash)
      const visitor = app.visitor()
      expect(await signIn(visitor, email, password)).toBe('in')
      expect(await whoIsIn(visitor)).toBe(email)
      expect(await app.adapter.passwords.get(id)).toMatchObject({
        hash: expect.stringMatching(/^\$scrypt\$/),
        changedAt: new Date(0),
      })
      const without = passwordApplication({ adapter: app.adapter })
      expect(await signIn(without.visitor(), email, password)).toBe('in')
    },
  )

  it('of Devise takes its pepper along', async () => {
    const hash = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.tv0KR.7MOElp6NFnfaGRHSUE65QPeg2'
    const app = passwordApplication({}, { verifiers: [devise({ pepper: 'pepper' })] })
    await app.adapter.createUser({ id: 'd', email: 'd@example.com', emailVerified: null })
    await app.adapter.passwords.set({ userId: 'd', hash, changedAt: new Date() })
    expect(await signIn(app.visitor(), 'd@example.com')).toBe('in')
  })

  it('whose kind of hash nobody named lets nobody in, and the log says what to do', async () => {
    const app = passwordApplication()
    await app.adapter.createUser({ id: 'x', email: 'x@example.com', emailVerified: null })
    await app.adapter.passwords.set({ userId: 'x', hash: '$2y$06$unknown', changedAt: new Date() })
    expect(await signIn(app.visitor(), 'x@example.com')).toBe(WRONG)
    expect(app.errors.map(({ message }) => message).join()).toContain('verifiers')
  })
})
