import { aspNetIdentity, bcrypt, django, firebase, phpass } from '@siteauth/core/passwords'
import type { PasswordUserConfig } from '@siteauth/core/providers'
import { describe, expect, it } from 'vitest'
import {
  ANN,
  BETTER,
  CHEAP,
  change,
  GOOD,
  passwordApplication,
  signIn,
  signUp,
  WRONG,
} from './application.ts'

const SALT = 'AAECAwQFBgcICQoLDA0ODw'
const KEY = '11kKyiyYAc8G7rp3KmncMc44YlkdllIqxOa7pq0fMaU'

const verifiers = [
  django(),
  bcrypt(),
  phpass(),
  aspNetIdentity(),
  firebase({ signerKey: 'AAAA', saltSeparator: 'AA==', rounds: 8, memCost: 14 }),
]

/** A user whose hash came with a table that somebody else has written. */
async function withHash(hash: string, own: Partial<PasswordUserConfig> = {}) {
  const app = passwordApplication({}, { verifiers, ...own })
  await app.adapter.createUser({ id: 'row', email: ANN, emailVerified: null })
  await app.adapter.passwords.set({ userId: 'row', hash, changedAt: new Date() })
  return app
}

describe('a stored hash', () => {
  it.each([
    ['with no key', 'pbkdf2_sha256$1000$seasalt$'],
    ['whose key is cut off', 'pbkdf2_sha256$1000$seasalt$3w=='],
    ['of ours whose key is cut off', `$scrypt$ln=1,r=1,p=1$${SALT}$11`],
    ['of nothing', ''],
    ['of a user of Django who has no password', '!kD2qFnC1zPzYw2qJ4o0bT3nF6x8w9y0z1A2B3C4D'],
    ['of a kind that nobody named', '$5$rounds=5000$salt$hash'],
    ['that is no base 64', `$scrypt$ln=1,r=1,p=1$AAAAA$${KEY}`],
    ['by argon2id, which this runtime may lack', `$argon2id$v=16$m=64,t=1,p=1$${SALT}$${KEY}`],
  ])('%s lets nobody in, and looks like an unknown address', async (_, hash) => {
    const app = await withHash(hash)
    for (const password of [GOOD, hash, '!', ' ']) {
      expect(await signIn(app.visitor(), ANN, password)).toBe(WRONG)
      expect(await signIn(app.visitor(), 'eve@example.com', password)).toBe(WRONG)
    }
  })

  it.each([
    ['scrypt, by memory', `$scrypt$ln=30,r=8,p=1$${SALT}$${KEY}`],
    ['scrypt, by time', `$scrypt$ln=16,r=8,p=500000$${SALT}$${KEY}`],
    ['scrypt of Django', `scrypt$seasalt$65536$8$500000$${'A'.repeat(86)}==`],
    ['argon2id, by time', `$argon2id$v=19$m=65536,t=999999999,p=1$${SALT}$${KEY}`],
    ['argon2id, by threads', `$argon2id$v=19$m=65536,t=1,p=99999$${SALT}$${KEY}`],
    ['PBKDF2', `pbkdf2_sha256$999999999$seasalt$${KEY}=`],
    ['PBKDF2 with a long key', `pbkdf2_sha256$9000000$seasalt$${'A'.repeat(40_000)}`],
    ['bcrypt', '$2b$31$CCCCCCCCCCCCCCCCCCCCC.poIKaw08HWUz4zkVKLs8VPIydUmXBPC'],
    ['phpass', '$P$SabcdefghSJgeL1eoDXhyd2cuYxosM.'],
  ])('that asks for too much is not computed, which the log says: %s', async (_, hash) => {
    const asked: number[] = []
    const app = await withHash(hash, {
      hashing: {
        ...CHEAP,
        argon2id: async (_password, { outputLen, timeCost }) => {
          asked.push(timeCost)
          return new Uint8Array(outputLen)
        },
      },
    })
    expect(await signIn(app.visitor())).toBe(WRONG)
    expect(asked).toEqual([])
    const logged = app.errors.map(({ message }) => message).join()
    expect(logged).toContain('The password of the user "row" cannot be checked.')
    expect(logged).not.toContain(GOOD)
    expect(logged).not.toContain(hash)
  })

  it('by bcrypt is not handed to a package either if it asks for too much', async () => {
    const compared: string[] = []
    const compare = async (_: string, stored: string) => Boolean(compared.push(stored))
    const hash = '$2b$31$CCCCCCCCCCCCCCCCCCCCC.poIKaw08HWUz4zkVKLs8VPIydUmXBPC'
    const app = await withHash(hash, { verifiers: [bcrypt({ compare })] })
    expect(await signIn(app.visitor())).toBe(WRONG)
    expect(compared).toEqual([])
  })
})

describe('a wrong password takes a hash as it is made now', () => {
  const lengths: number[] = []
  const hashing = {
    argon2id: async (_: Uint8Array, { memoryCost }: { memoryCost: number }) => {
      lengths.push(memoryCost)
      return new Uint8Array(32)
    },
  }

  it.each([
    ['for a hash that costs less', `$argon2id$v=19$m=64,t=1,p=1$${SALT}$${KEY}`],
    ['for a hash that nobody can check', '$5$rounds=5000$salt$hash'],
    ['for a hash that asks for too much', `$scrypt$ln=30,r=8,p=1$${SALT}$${KEY}`],
    ['for a user of Django without one', '!kD2qFnC1zPzYw2qJ4o0bT3nF6x8w9y0z1A2B3C4D'],
  ])('%s', async (_, hash) => {
    const app = await withHash(hash, { hashing })
    lengths.length = 0
    expect(await signIn(app.visitor())).toBe(WRONG)
    expect(lengths.filter(memory => memory === 19_456)).toHaveLength(1)
  })
})

describe('a password that is typed', () => {
  it('is not computed if no password is that long, known or not', async () => {
    const seen: number[] = []
    const verifier = {
      recognises: (stored: string) => stored === 'old',
      async verify(password: string) {
        seen.push(password.length)
        return true
      },
    }
    const app = await withHash('old', { verifiers: [verifier] })
    expect(await signIn(app.visitor(), ANN, 'a'.repeat(4097))).toBe(WRONG)
    expect(seen).toEqual([])
    expect(await signIn(app.visitor(), ANN, 'a'.repeat(4096))).toBe('in')
  })

  it('may have zeros, and whatever comes after them counts', async () => {
    const app = passwordApplication()
    await signUp(app, ANN, `${GOOD}\0one`)
    expect(await signIn(app.visitor(), ANN, GOOD)).toBe(WRONG)
    expect(await signIn(app.visitor(), ANN, `${GOOD}\0two`)).toBe(WRONG)
    expect(await signIn(app.visitor(), ANN, `${GOOD}\0one`)).toBe('in')
  })

  it('counts beyond the 72 bytes of bcrypt as soon as it is hashed anew', async () => {
    const compare = async (password: string) => password.startsWith('a'.repeat(72))
    const hash = '$2b$05$CCCCCCCCCCCCCCCCCCCCC.poIKaw08HWUz4zkVKLs8VPIydUmXBPC'
    const app = await withHash(hash, { verifiers: [bcrypt({ compare })] })
    expect(await signIn(app.visitor(), ANN, 'a'.repeat(80))).toBe('in')
    expect(await signIn(app.visitor(), ANN, 'a'.repeat(79))).toBe(WRONG)
  })

  it('is one however a keyboard writes it, and not one that only looks like it', async () => {
    const app = passwordApplication()
    const owner = await signUp(app, ANN, 'Ångström ﬁsh horse staple')
    expect(await signIn(app.visitor(), ANN, 'A\u030Angstro\u0308m fish horse staple')).toBe('in')
    // A Cyrillic а.
    expect(await signIn(app.visitor(), ANN, 'Ångström fish horse st\u0430ple')).toBe(WRONG)
    expect(await change(owner, 'Ångström fish horse staple', BETTER)).toBe('in')
  })
})

it('those who come to a long queue are told to wait, known or not, which counts for nothing and is logged once', async () => {
  let release = () => {}
  const blocked = new Promise<void>(resolve => {
    release = resolve
  })
  const app = passwordApplication(
    { limits: {} },
    {
      hashing: {
        argon2id: async (_typed, { outputLen }) => {
          await blocked
          return new Uint8Array(outputLen)
        },
      },
    },
  )
  let refused = 0
  const all = Array.from({ length: 110 }, async (_, index) => {
    const came = await signIn(app.visitor(), `somebody-${index}@example.com`)
    if (came === 'too many') refused += 1
    return came
  })
  // Two are computed, and a hundred wait.
  while (refused < 8) await new Promise(resolve => setImmediate(resolve))
  for (let time = 0; time < 6; time++) {
    expect(await signIn(app.visitor(), ANN)).toBe('too many')
    expect(await signIn(app.visitor(), 'eve@example.com')).toBe('too many')
  }
  expect(app.errors.filter(({ message }) => message.includes('are waiting'))).toHaveLength(1)
  release()
  expect((await Promise.all(all)).filter(came => came === WRONG)).toHaveLength(102)
  expect(await signIn(app.visitor(), ANN)).toBe(WRONG)
})
