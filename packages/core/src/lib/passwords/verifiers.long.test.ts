import { describe, expect, it } from 'vitest'
import {
  aspNetIdentity,
  bcrypt,
  betterAuth,
  devise,
  django,
  firebase,
  laravel,
  phpass,
  wordpress,
} from '../../passwords.ts'
import type { PasswordVerifier } from '../providers/password.ts'

const password = 'correct horse battery staple'

// Made by Python (hashlib, and crypt of libxcrypt) unless said otherwise.
const HASHES: [name: string, verifier: PasswordVerifier, stored: string, own?: string][] = [
  ['bcrypt $2b$', bcrypt(), '$2b$05$CCCCCCCCCCCCCCCCCCCCC.poIKaw08HWUz4zkVKLs8VPIydUmXBPC'],
  [
    'bcrypt of crypt_blowfish’s own tests',
    bcrypt(),
    '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW',
    'U*U',
  ],
  [
    'bcrypt of nothing',
    bcrypt(),
    '$2b$05$CCCCCCCCCCCCCCCCCCCCC.7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy',
    '',
  ],
  [
    'bcrypt of other alphabets',
    bcrypt(),
    '$2b$05$CCCCCCCCCCCCCCCCCCCCC.a9MeHAB6wWWF48to3nd78PLrs6BFBci',
    'pässwörd €',
  ],
  [
    'bcrypt of more than 72 bytes',
    bcrypt(),
    '$2b$05$CCCCCCCCCCCCCCCCCCCCC.ODcEJfYFxKziEakDsjep8mcF3zSCvHq',
    'a'.repeat(80),
  ],
  ['Laravel', laravel(), '$2y$06$CCCCCCCCCCCCCCCCCCCCC.uGN1ufVX4zerW2S91Qo7fWPFIKWSmsC'],
  [
    'Devise with a pepper',
    devise({ pepper: 'pepper' }),
    '$2a$05$CCCCCCCCCCCCCCCCCCCCC.tv0KR.7MOElp6NFnfaGRHSUE65QPeg2',
  ],
  [
    'Django pbkdf2_sha256',
    django(),
    'pbkdf2_sha256$1000$seasalt$3xmXbyk2QpiyNcnoBbzRPwEBsYPTbDlRdtmLyBvQltA=',
  ],
  ['Django pbkdf2_sha1', django(), 'pbkdf2_sha1$1000$seasalt$9iRYj0as1r5j+cCBxB+HMlxkyr4='],
  [
    'Django scrypt',
    django(),
    'scrypt$seasalt$16384$8$1$0p7hdYaH/83kW4afG1RM9Faf3JuSGOZD8gLda92PSbUUzN27ATHsXCuHq9UfsHmQ23/FS7YsSkQewq+XitVu8g==',
  ],
  [
    'Django bcrypt_sha256',
    django(),
    'bcrypt_sha256$$2b$05$CCCCCCCCCCCCCCCCCCCCC.Hj1dXHv09DjjbM63xDk5X5vTegF/6Vq',
  ],
  ['phpass', phpass(), '$P$9abcdefghSJgeL1eoDXhyd2cuYxosM.'],
  ['phpass of its own tests', phpass(), '$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0', 'test12345'],
  ['WordPress before 6.8', wordpress(), '$P$9abcdefghSJgeL1eoDXhyd2cuYxosM.'],
  ['WordPress', wordpress(), '$wp$2y$05$CCCCCCCCCCCCCCCCCCCCC./M/rpE9MEzueBNhg/xVljJ7/fNAfGDS'],
  [
    'ASP.NET Identity 2',
    aspNetIdentity(),
    'AAABAgMEBQYHCAkKCwwNDg8A6b+Q5v/5gBndnBKiBiA27187WD3zrXpRRPbHcnNx7A==',
  ],
  [
    'ASP.NET Identity 2 of its own tests',
    aspNetIdentity(),
    'AAABAgMEBQYHCAkKCwwNDg+ukCEMDf0yyQ29NYubggHIVY0sdEUfdyeM+E1LtH1uJg==',
    'my password',
  ],
  [
    'ASP.NET Identity 3 by SHA-256',
    aspNetIdentity(),
    'AQAAAAEAAAPoAAAAEAABAgMEBQYHCAkKCwwNDg+mmxeeOt08HgqvInoOs6oqqGRauG/s9soAwXUSaXxxng==',
  ],
  [
    'ASP.NET Identity 3 by SHA-512',
    aspNetIdentity(),
    'AQAAAAIAAAPoAAAAEAABAgMEBQYHCAkKCwwNDg8DoCYUi2LsIqVh2g+JX2N/V32WWnfujbtaazxnHx/Awg==',
  ],
  [
    'Firebase, from its own README',
    firebase({
      signerKey:
        'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==',
      saltSeparator: 'Bw==',
      rounds: 8,
      memCost: 14,
    }),
    '$firebase$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
    'user1password',
  ],
  [
    'Better Auth, as it writes it',
    betterAuth(),
    '38d6e177c3a053b2f13e0c7add78ff30:dcceed585810bb519907b436b3a4c284b855884f0f50d4a6f6b48fdedda6c7195cc58bf923ff56e1dfb59b0bc58f995547a2f2e88c47e272e7be9367dd9c9f86',
  ],
  [
    'Better Auth, in full-width letters',
    betterAuth(),
    'c48bd6321c173370ac621b80daf7d5d0:bc82595b61a8b45e02a864bbfa388bcdce8545155ec7ef8d2b9d65c8ac869b6e540cc71d62368df5c4da16c48da05233ebf66dde0d8e2442bc71a9ff34c335c1',
    'ｐäßword ﬁ 12345',
  ],
]

describe('a hash of another system', () => {
  it.each(HASHES)('by %s is recognised, and its password', async (_, verifier, stored, own) => {
    expect(verifier.recognises(stored)).toBe(true)
    expect(await verifier.verify(own ?? password, stored)).toBe(true)
  })

  it.each(HASHES)('by %s fits no other password', async (_, verifier, stored, own) => {
    expect(await verifier.verify(`x${own ?? password}`, stored)).toBe(false)
  })

  it.each(HASHES)('by %s is not recognised when cut off', (_, verifier, stored) => {
    const isWhole = stored.startsWith('pbkdf2') || /^(scrypt|bcrypt_sha256|\$firebase)/.test(stored)
    expect(verifier.recognises(isWhole ? '' : stored.slice(0, -5))).toBe(false)
  })

  it('by bcrypt can be compared by a package instead', async () => {
    const { verify } = bcrypt({ compare: async typed => typed === 'from the package' })
    const stored = '$2b$05$CCCCCCCCCCCCCCCCCCCCC.poIKaw08HWUz4zkVKLs8VPIydUmXBPC'
    expect(await verify('from the package', stored)).toBe(true)
  })

  it.each([
    ['bcrypt', bcrypt(), '$2b$31$CCCCCCCCCCCCCCCCCCCCC.poIKaw08HWUz4zkVKLs8VPIydUmXBPC'],
    ['phpass', phpass(), '$P$SabcdefghSJgeL1eoDXhyd2cuYxosM.'],
  ])('by %s that would take minutes is refused', async (_, verifier, stored) => {
    await expect(verifier.verify(password, stored)).rejects.toThrow(RangeError)
  })

  it.each([
    'pbkdf2_sha256$99999999999$seasalt$3xmXbyk2QpiyNcnoBbzRPwEBsYPTbDlRdtmLyBvQltA=',
    'scrypt$seasalt$1073741824$8$1$0p7hdYaH',
  ])('by Django that asks for too much is refused: %s', async stored => {
    await expect(django().verify(password, stored)).rejects.toThrow(RangeError)
  })
})
