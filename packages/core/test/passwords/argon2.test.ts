import { argon2idAsync } from '@noble/hashes/argon2.js'
import { createHasher, type HashArgon2 } from '@siteauth/core/passwords'
import { afterEach, describe, expect, it } from 'vitest'
import { ANN, GOOD, passwordApplication, signIn, signUp, WRONG, whoIsIn } from './application.ts'

/** A package that computes argon2id, if slowly. */
const hashRaw: HashArgon2 = (password, { salt, memoryCost, timeCost, parallelism, outputLen }) =>
  argon2idAsync(password, salt, {
    m: memoryCost,
    t: timeCost,
    p: parallelism,
    dkLen: outputLen,
  })

// By the reference implementation in C, from its own tests: of "password", with the salt "somesalt".
const REFERENCE = [
  '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4',
  '$argon2id$v=19$m=256,t=2,p=2$c29tZXNhbHQ$bQk8UB/VmZZF4Oo79iDXuL5/0ttZwg2f/5U52iv1cDc',
]

const hashing = { argon2id: hashRaw, argon2Cost: { m: 64, t: 1 } }

describe('argon2id by a package', () => {
  it.each(REFERENCE)('checks what the reference implementation wrote: %s', async stored => {
    const hasher = createHasher(hashing)
    expect(await hasher.verify('password', stored)).toBe('right')
    expect(await hasher.verify('Password', stored)).toBe('wrong')
  })

  it('writes what another can check', async () => {
    const app = passwordApplication({}, { hashing })
    await signUp(app)
    const { id = '' } = (await app.adapter.getUserByEmail(ANN)) ?? {}
    const { hash = '' } = (await app.adapter.passwords.get(id)) ?? {}
    const [, salt = '', key = ''] = /^\$argon2id\$v=19\$m=64,t=1,p=1\$(.+)\$(.+)$/.exec(hash) ?? []
    const bytes = Buffer.from(salt, 'base64')
    const derived = await argon2idAsync(GOOD, bytes, { m: 64, t: 1, p: 1, dkLen: 32 })
    expect(Buffer.from(derived)).toEqual(Buffer.from(key, 'base64'))
    const visitor = app.visitor()
    expect(await signIn(visitor)).toBe('in')
    expect(await whoIsIn(visitor)).toBe(ANN)
    expect(await signIn(app.visitor(), ANN, `${GOOD}.`)).toBe(WRONG)
  })

  it.each(REFERENCE)('hashes anew what costs less than now: %s', async stored => {
    const dearer = { argon2id: hashRaw, argon2Cost: { m: 512, t: 2 } }
    const app = passwordApplication({}, { hashing: dearer })
    await app.adapter.createUser({ id: 'u', email: ANN, emailVerified: null })
    await app.adapter.passwords.set({ userId: 'u', hash: stored, changedAt: new Date() })
    expect(await signIn(app.visitor(), ANN, 'password')).toBe('in')
    const { hash = '' } = (await app.adapter.passwords.get('u')) ?? {}
    expect(hash).toContain('$argon2id$v=19$m=512,t=2,p=1$')
    expect(await signIn(app.visitor(), ANN, 'password')).toBe('in')
  })

  it('takes the place of scrypt, and gives it up again', async () => {
    const app = passwordApplication()
    await signUp(app)
    const { id = '' } = (await app.adapter.getUserByEmail(ANN)) ?? {}
    const kindOf = async () => (await app.adapter.passwords.get(id))?.hash.split('$')[1]
    const byArgon2 = passwordApplication({ adapter: app.adapter }, { hashing })
    expect(await signIn(byArgon2.visitor())).toBe('in')
    expect(await kindOf()).toBe('argon2id')
    const back = { argon2id: hashRaw, algorithm: 'scrypt', scryptCost: { ln: 1, r: 1 } } as const
    const byScrypt = passwordApplication({ adapter: app.adapter }, { hashing: back })
    expect(await signIn(byScrypt.visitor())).toBe('in')
    expect(await kindOf()).toBe('scrypt')
  })
})

describe('argon2id of the runtime', () => {
  const crypto: Record<string, unknown> = { ...process.getBuiltinModule('node:crypto') }
  const { getBuiltinModule } = process
  afterEach(() => {
    process.getBuiltinModule = getBuiltinModule
  })

  it.each(REFERENCE)('is used as Node 24.7 has it: %s', async stored => {
    const argon2 = crypto['argon2'] ?? asInNode
    const stood = { ...crypto, argon2 }
    process.getBuiltinModule = ((name: string) =>
      name === 'node:crypto' ? stood : getBuiltinModule(name)) as typeof getBuiltinModule
    const hasher = createHasher({ argon2Cost: { m: 64, t: 1 } })
    expect(await hasher.verify('password', stored)).toBe('right')
    expect(await hasher.verify('Password', stored)).toBe('wrong')
    expect(await hasher.hash('password')).toMatch(/^\$argon2id\$v=19\$m=64,t=1,p=1\$/)
  })
})

/** For runtimes that lack it: as the documentation of Node describes `crypto.argon2`. */
function asInNode(
  algorithm: string,
  parameters: {
    message: Uint8Array
    nonce: Uint8Array
    parallelism: number
    tagLength: number
    memory: number
    passes: number
  },
  callback: (error: Error | null, key?: Uint8Array) => void,
): void {
  const { message, nonce, parallelism: p, tagLength: dkLen, memory: m, passes: t } = parameters
  if (algorithm !== 'argon2id') throw new TypeError(algorithm)
  argon2idAsync(message, nonce, { m, t, p, dkLen }).then(key => callback(null, key), callback)
}
