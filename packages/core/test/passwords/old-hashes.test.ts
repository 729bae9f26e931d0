import {
  aspNetIdentity,
  betterAuth,
  devise,
  django,
  firebase,
  laravel,
  wordpress,
} from '@siteauth/core/passwords'
import { describe, expect, it } from 'vitest'
import { GOOD, passwordApplication, signIn, WRONG, whoIsIn } from './application.ts'

// A table of users as another system has left it, each with its own kind of hash. All but that of Firebase,
// which is from its README, are of the same password.
const TABLE: Readonly<Record<string, readonly [hash: string, password: string]>> = {
  laravel: ['$2y$06$CCCCCCCCCCCCCCCCCCCCC.uGN1ufVX4zerW2S91Qo7fWPFIKWSmsC', GOOD],
  django: ['pbkdf2_sha256$1000$seasalt$3xmXbyk2QpiyNcnoBbzRPwEBsYPTbDlRdtmLyBvQltA=', GOOD],
  phpass: ['$P$9abcdefghSJgeL1eoDXhyd2cuYxosM.', GOOD],
  wordpress: ['$wp$2y$05$CCCCCCCCCCCCCCCCCCCCC./M/rpE9MEzueBNhg/xVljJ7/fNAfGDS', GOOD],
  aspnet2: ['AAABAgMEBQYHCAkKCwwNDg8A6b+Q5v/5gBndnBKiBiA27187WD3zrXpRRPbHcnNx7A==', GOOD],
  aspnet3: [
    'AQAAAAEAAAPoAAAAEAABAgMEBQYHCAkKCwwNDg+mmxeeOt08HgqvInoOs6oqqGRauG/s9soAwXUSaXxxng==',
    GOOD,
  ],
  firebase: [
    '$firebase$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
    'user1password',
  ],
  betterauth: [
    '38d6e177c3a053b2f13e0c7add78ff30:dcceed585810bb519907b436b3a4c284b855884f0f50d4a6f6b48fdedda6c7195cc58bf923ff56e1dfb59b0bc58f995547a2f2e88c47e272e7be9367dd9c9f86',
    GOOD,
  ],
}

const verifiers = [
  laravel(),
  django(),
  wordpress(),
  aspNetIdentity(),
  betterAuth(),
  firebase({
    signerKey:
      'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==',
    saltSeparator: 'Bw==',
    rounds: 8,
    memCost: 14,
  }),
]

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
