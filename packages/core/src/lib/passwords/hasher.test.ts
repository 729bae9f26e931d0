import { describe, expect, it, vi } from 'vitest'
import { bcrypt, createHasher, type HashArgon2 } from '../../passwords.ts'

const cheap = { algorithm: 'scrypt', scryptCost: { ln: 4 } } as const
const password = 'correct horse battery staple'

/** Stands for a package: what it answers depends on all that it is given. */
const argon2id: HashArgon2 = async (typed, { salt, memoryCost, timeCost, outputLen }) =>
  Uint8Array.from(
    { length: outputLen },
    (_, i) => (typed[i] ?? 0) ^ (salt[i] ?? 0) ^ memoryCost ^ timeCost,
  )

describe('a hasher', () => {
  it('writes PHC strings, with a salt of its own for each', async () => {
    const hasher = createHasher(cheap)
    const [one, other] = [await hasher.hash(password), await hasher.hash(password)]
    expect(one).toMatch(/^\$scrypt\$ln=4,r=8,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(one).not.toBe(other)
  })

  it('knows a password again, however it was typed', async () => {
    const hasher = createHasher(cheap)
    const stored = await hasher.hash('Ångström is a unit')
    expect(await hasher.verify('Ångström is a unit', stored)).toBe('right')
    expect(await hasher.verify('Ångstrom is a unit', stored)).toBe('wrong')
  })

  it('sees every character of a long password', async () => {
    const hasher = createHasher(cheap)
    const stored = await hasher.hash(`${'a'.repeat(200)}b`)
    expect(await hasher.verify(`${'a'.repeat(200)}c`, stored)).toBe('wrong')
  })

  it('reads what others have hashed by scrypt', async () => {
    const stored =
      '$scrypt$ln=14,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$11kKyiyYAc8G7rp3KmncMc44YlkdllIqxOa7pq0fMaU'
    expect(await createHasher(cheap).verify(password, stored)).toBe('right')
  })

  it('calls a hash outdated that costs less than one that is made now', async () => {
    const stored = await createHasher(cheap).hash(password)
    const dearer = createHasher({ ...cheap, scryptCost: { ln: 5 } })
    expect(await dearer.verify(password, stored)).toBe('outdated')
    expect(await dearer.verify('wrong', stored)).toBe('wrong')
  })

  it('leaves a hash alone that costs more', async () => {
    const stored = await createHasher({ ...cheap, scryptCost: { ln: 6 } }).hash(password)
    expect(await createHasher(cheap).verify(password, stored)).toBe('right')
  })

  it('calls a hash of another system outdated', async () => {
    const stored = '$2b$05$CCCCCCCCCCCCCCCCCCCCC.poIKaw08HWUz4zkVKLs8VPIydUmXBPC'
    expect(await createHasher(cheap, [bcrypt()]).verify(password, stored)).toBe('outdated')
  })

  it('finds the password of nobody wrong', async () => {
    expect(await createHasher(cheap).verify(password, null)).toBe('wrong')
  })

  it('says how to have a hash read that it does not know', async () => {
    await expect(createHasher(cheap).verify(password, '$2b$05$unknown')).rejects.toThrow(
      'verifiers',
    )
  })

  it.each([
    '$scrypt$ln=30,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$11kKyiyYAc8G7rp3KmncMc44YlkdllIqxOa7pq0fMaU',
    '$scrypt$ln=17,r=9999,p=1$AAECAwQFBgcICQoLDA0ODw$11kKyiyYAc8G7rp3KmncMc44YlkdllIqxOa7pq0fMaU',
  ])('computes nothing that would take all memory: %s', async stored => {
    await expect(createHasher(cheap).verify(password, stored)).rejects.toThrow('1 GiB')
  })

  it('hashes by argon2id where a package is given, and scrypt is outdated then', async () => {
    const hasher = createHasher({ argon2id })
    const stored = await hasher.hash(password)
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await hasher.verify(password, stored)).toBe('right')
    expect(await hasher.verify('another', stored)).toBe('wrong')
    expect(await hasher.verify(password, await createHasher(cheap).hash(password))).toBe('outdated')
  })

  it('computes no more at once than it is told to', async () => {
    let running = 0
    let most = 0
    const counting: HashArgon2 = async (typed, options) => {
      most = Math.max(most, ++running)
      await new Promise(resolve => setImmediate(resolve))
      running--
      return argon2id(typed, options)
    }
    const hasher = createHasher({ argon2id: counting, concurrency: 3 })
    await Promise.all(Array.from({ length: 20 }, () => hasher.hash(password)))
    expect(most).toBe(3)
  })

  it('computes no more at once than it is told to, whichever configuration the others belong to', async () => {
    let running = 0
    let most = 0
    const counting: HashArgon2 = async (typed, options) => {
      most = Math.max(most, ++running)
      await new Promise(resolve => setImmediate(resolve))
      running--
      return argon2id(typed, options)
    }
    const hashers = Array.from({ length: 5 }, () =>
      createHasher({ argon2id: counting, concurrency: 2 }),
    )
    await Promise.all(hashers.flatMap(hasher => [hasher.hash(password), hasher.hash(password)]))
    expect(most).toBe(2)
  })

  it('lets each configuration have its own limit, in the order in which they came', async () => {
    const started: string[] = []
    const release: (() => void)[] = []
    const slow =
      (name: string): HashArgon2 =>
      async (typed, options) => {
        started.push(name)
        await new Promise<void>(resolve => release.push(resolve))
        return argon2id(typed, options)
      }
    const wide = createHasher({ argon2id: slow('wide'), concurrency: 2 })
    const narrow = createHasher({ argon2id: slow('narrow'), concurrency: 1 })
    const hashes = [wide, narrow, wide].map(hasher => hasher.hash(password))
    await vi.waitFor(() => expect(started).toEqual(['wide']))
    expect(wide.waiting()).toBe(2)
    release.shift()?.()
    await vi.waitFor(() => expect(started).toEqual(['wide', 'narrow', 'wide']))
    for (const go of release) go()
    await Promise.all(hashes)
  })

  it('goes on after one has failed', async () => {
    const failing: HashArgon2 = async () => {
      throw new Error('no memory')
    }
    const hasher = createHasher({ argon2id: failing, concurrency: 1 })
    await expect(hasher.hash(password)).rejects.toThrow('no memory')
    await expect(hasher.hash(password)).rejects.toThrow('no memory')
  })
})
