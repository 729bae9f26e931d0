import { createHash } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { HASHES } from '../../../test/crypto/vectors.ts'
import { createTestAuth, Visitor } from '../../../test/visitor.ts'
import { primitives as node } from '../crypto/node.ts'
import { primitives as web } from '../crypto/web.ts'
import { createCsrfTokens, readTokens, repeatsToken } from './token.ts'

const TOKEN = 'a'.repeat(64)
const COOKIE = '__Host-authjs.csrf-token'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

describe.each([
  ['Node', node],
  ['WebCrypto', web],
])('a CSRF cookie on %s', (_side, primitives) => {
  const tokens = (...secrets: string[]) => createCsrfTokens(primitives, secrets)

  it('is the token and the hash that the old library writes', async () => {
    const [row] = HASHES
    expect(await tokens('secret').seal(TOKEN)).toBe(`${TOKEN}|${row.hex}`)
  })

  it('gives its token back', async () => {
    const csrf = tokens('secret')
    expect(await csrf.read(await csrf.seal(TOKEN))).toBe(TOKEN)
  })

  it('of the old library is read, also where it hashed with all of its secrets', async () => {
    const [one, two] = HASHES
    expect(await tokens('secret').read(`${TOKEN}|${one.hex}`)).toBe(TOKEN)
    expect(await tokens('new', 'old').read(`${TOKEN}|${two.hex}`)).toBe(TOKEN)
    expect(await tokens('newest', 'new', 'old').read(`${TOKEN}|${two.hex}`)).toBe(TOKEN)
    expect(await tokens('new', 'old', 'oldest').read(`${TOKEN}|${two.hex}`)).toBe(TOKEN)
    expect(await tokens('old', 'new').read(`${TOKEN}|${two.hex}`)).toBeNull()
    expect(await tokens('new').read(`${TOKEN}|${two.hex}`)).toBeNull()
  })

  it('is read while secrets are rotated: from one to two and back to one', async () => {
    const before = await tokens('old').seal(TOKEN)
    const during = await tokens('new', 'old').seal(TOKEN)
    expect(await tokens('new', 'old').read(before)).toBe(TOKEN)
    expect(await tokens('new').read(during)).toBe(TOKEN)
    expect(await tokens('new').read(before)).toBeNull()
    expect(during).toBe(await tokens('new').seal(TOKEN))
  })

  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['a token alone', TOKEN],
    ['a token and a bar', `${TOKEN}|`],
    ['a hash alone', `|${HASHES[0].hex}`],
    ['a hash of the token alone, which anyone can make', `${TOKEN}|${sha256(TOKEN)}`],
    ['another hash', `${TOKEN}|${'0'.repeat(64)}`],
    ['another token', `${'b'.repeat(64)}|${HASHES[0].hex}`],
    ['a shorter token', `${TOKEN.slice(1)}|${HASHES[0].hex}`],
    ['a hash that is cut', `${TOKEN}|${HASHES[0].hex.slice(0, 63)}`],
    ['a hash in upper case', `${TOKEN}|${HASHES[0].hex.toUpperCase()}`],
    ['a third part', `${TOKEN}|${HASHES[0].hex}|x`],
    ['a line feed after it', `${TOKEN}|${HASHES[0].hex}\n`],
    ['a blank before it', ` ${TOKEN}|${HASHES[0].hex}`],
    ['still encoded', `${TOKEN}%7C${HASHES[0].hex}`],
    ['very long', `${'a'.repeat(100_000)}|${HASHES[0].hex}`],
  ])('is none where it is %s', async (_what, cookie) => {
    expect(await tokens('secret').read(cookie)).toBeNull()
  })

  it('that is malformed costs no hash', async () => {
    const digest = vi.fn(primitives.digest)
    await createCsrfTokens({ digest }, ['secret']).read('x'.repeat(10_000))
    expect(digest).not.toHaveBeenCalled()
  })
})

describe('a form', () => {
  it('repeats the token only if it is the very same text', () => {
    expect(repeatsToken(TOKEN, TOKEN)).toBe(true)
    for (const field of [TOKEN.slice(1), `${TOKEN}a`, TOKEN.toUpperCase(), '', undefined, null]) {
      expect(repeatsToken(TOKEN, field)).toBe(false)
    }
  })

  it.each([[[TOKEN]], [{ toString: () => TOKEN, length: 64 }], [true], [0]])(
    'does not repeat it by %j, which is no text',
    field => {
      expect(repeatsToken(TOKEN, field)).toBe(false)
    },
  )

  it('repeats nothing where there is no token', () => {
    for (const field of [null, undefined, '', 'null']) expect(repeatsToken(null, field)).toBe(false)
  })
})

describe('through the door', () => {
  const setting = (secret: string | string[]) => {
    const auth = createTestAuth({ secret })
    return { auth, visitor: new Visitor(auth.handle) }
  }

  it('a token is 64 hexadecimal digits from the random source, in a cookie for this host alone', async () => {
    const randomHex = vi.fn(() => 'c'.repeat(64))
    const auth = createTestAuth({ ports: { randomHex } })
    const response = await new Visitor(auth.handle).get('/csrf')
    expect(await response.json()).toEqual({ csrfToken: 'c'.repeat(64) })
    expect(randomHex).toHaveBeenCalledWith(32)
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-authjs\.csrf-token=c{64}%7C[\da-f]{64}; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ])
  })

  it('a token stays the same as long as its cookie is good, and no cookie is set again', async () => {
    const { visitor } = setting('s'.repeat(32))
    const first = await visitor.csrfToken()
    const again = await visitor.get('/csrf')
    expect(await again.json()).toEqual({ csrfToken: first })
    expect(again.headers.getSetCookie()).toEqual([])
  })

  it('every visitor gets another', async () => {
    const { auth } = setting('s'.repeat(32))
    const all = await Promise.all(
      Array.from({ length: 20 }, () => new Visitor(auth.handle).csrfToken()),
    )
    expect(new Set(all).size).toBe(20)
    for (const token of all) expect(token).toMatch(/^[\da-f]{64}$/)
  })

  it('a cookie that somebody else made is replaced', async () => {
    const { visitor } = setting('s'.repeat(32))
    visitor.cookies.set(COOKIE, `${TOKEN}|${'0'.repeat(64)}`)
    expect(await visitor.csrfToken()).not.toBe(TOKEN)
    expect(visitor.cookies.get(COOKIE)).not.toContain(TOKEN)
  })

  it('a form that is open while secrets are rotated can still be sent', async () => {
    const before = setting('o'.repeat(32))
    const csrfToken = await before.visitor.csrfToken()
    const cookie = `${COOKIE}=${before.visitor.cookies.get(COOKIE)}`
    const send = (auth: ReturnType<typeof setting>['auth']) =>
      auth.handle(
        new Request('https://app.example.com/auth/signout', {
          method: 'POST',
          headers: { cookie },
          body: new URLSearchParams({ csrfToken }),
        }),
      )
    const during = await send(setting(['n'.repeat(32), 'o'.repeat(32)]).auth)
    expect(during.headers.get('location')).toBe('https://app.example.com')
    const after = await send(setting('n'.repeat(32)).auth)
    expect(after.headers.get('location')).toContain('error=MissingCSRF')
  })
})

describe('the CSRF cookies of a request', () => {
  const csrf = createCsrfTokens(node, ['secret'])
  const tokenOf = (at: number) => at.toString(16).padStart(64, '0')
  const headerOf = async (count: number) =>
    (
      await Promise.all(
        Array.from({ length: count }, async (_, at) => `t=${await csrf.seal(tokenOf(at))}`),
      )
    ).join('; ')

  it('have the tokens of those that can be read', async () => {
    const header = `t=junk; ${await headerOf(1)}`
    expect(await readTokens(csrf, header, 't')).toEqual([tokenOf(0)])
  })

  it('are those of the name alone, and no parts of a cookie in several', async () => {
    const header = `t.0=${await csrf.seal(TOKEN)}`
    expect(await readTokens(csrf, header, 't')).toEqual([])
  })

  it('are read up to the sixteenth from the end, since another host can plant hundreds', async () => {
    const tokens = await readTokens(csrf, await headerOf(20), 't')
    expect(tokens).toEqual(Array.from({ length: 16 }, (_, at) => tokenOf(at + 4)))
  })
})
