import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pwnedPasswords, pwnedPasswordsFile } from '../../passwords.ts'
import type { PasswordRules } from '../providers/password.ts'
import { sha1Of } from './pwned-passwords.ts'
import { findPasswordProblem } from './rules.ts'

const errors: unknown[] = []
const find = (password: string, rules: PasswordRules = {}) =>
  findPasswordProblem(password, rules, {
    names: ['johanna.smith@example.com'],
    onUnknown: error => errors.push(error),
  })

describe('the rules', () => {
  it.each([
    ['fourteen signs', 'a password 123', 'too_short'],
    ['fifteen', 'a password 1234', null],
    ['fifteen that a computer counts as more', '🔑🐎🔋📎 and so on!', null],
    ['seven of two halves each', '🔑🐎🔋📎🌍🎈🍎', 'too_short'],
    ['nothing but small letters', 'noneofthisisuppercase', null],
    ['sixty-four', 'correct horse battery staple '.repeat(3).slice(0, 64), null],
    ['256', 'correct horse battery staple '.repeat(9).slice(0, 256), null],
    ['257', 'correct horse battery staple '.repeat(9).slice(0, 257), 'too_long'],
    ['one letter', 'aaaaaaaaaaaaaaaaaaaa', 'too_common'],
    ['one short piece', 'abcabcabcabcabcabc', 'too_common'],
    ['the alphabet', 'abcdefghijklmnop', 'too_common'],
    ['their own address', 'johanna.smith@example.com', 'too_common'],
    ['their own name, and a year', 'JohannaSmith1987', 'too_common'],
    ['their own name, and much else', 'Johanna likes to eat pears', null],
  ])('%s: %j', async (_, password, fault) => {
    expect(await find(password)).toBe(fault)
  })

  it('take eight beside a second factor, where the application says so', async () => {
    expect(await find('8 signs!', { minLength: 8 })).toBeNull()
  })

  it('refuse what the application is called', async () => {
    expect(await find('Siteauth-Siteauth-1', { forbiddenWords: ['siteauth'] })).toBe('too_common')
  })

  it('accept what the list cannot be asked about, and tell', async () => {
    const blocklist = () => Promise.reject(new Error('down'))
    expect(await find('correct horse battery', { blocklist })).toBeNull()
    expect(errors).toEqual([new Error('down')])
  })
})

describe('the list of a service', () => {
  const hash = sha1Of('correct horse battery')
  const serviceOf = (answer: string, status = 200) => {
    const asked: Request[] = []
    const answering: typeof fetch = async (input, init) => {
      asked.push(new Request(input, init))
      return new Response(answer, { status })
    }
    return { asked, blocklist: pwnedPasswords({ fetch: answering }) }
  }

  it('is told five letters of a hash, and no more', async () => {
    const { asked, blocklist } = serviceOf('')
    await find('correct horse battery', { blocklist })
    expect(asked[0]?.url).toBe(`https://api.pwnedpasswords.com/range/${hash.slice(0, 5)}`)
    expect(asked[0]?.headers.get('add-padding')).toBe('true')
  })

  it.each([
    ['has it', `0018A45C4D1DEF81644B54AB7F969B88D65:3\r\n${hash.slice(5)}:42\r\n`, 'too_common'],
    ['has others', '0018A45C4D1DEF81644B54AB7F969B88D65:3', null],
    ['has it as padding', `${hash.slice(5)}:0`, null],
  ])('%s', async (_, answer, fault) => {
    expect(await find('correct horse battery', serviceOf(answer))).toBe(fault)
  })

  it('fails where the service does', async () => {
    await expect(serviceOf('', 503).blocklist('x')).rejects.toThrow('503')
  })
})

describe('the list in a file', () => {
  const known = Array.from({ length: 300 }, (_, index) => `password number ${index}`)
  let folder: string
  let path: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pwned-'))
    path = join(folder, 'pwned.txt')
    const lines = known.map((each, index) => `${sha1Of(each)}:${index ** 3}`).sort()
    await writeFile(path, `${lines.join('\r\n')}\r\n`)
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('has each password that is in it, and no other', async () => {
    const isKnown = pwnedPasswordsFile(path)
    const found = await Promise.all(known.map(isKnown))
    expect(found.every(each => each)).toBe(true)
    const others = await Promise.all(known.map(each => isKnown(`${each}!`)))
    expect(others.some(each => each)).toBe(false)
  })
})
