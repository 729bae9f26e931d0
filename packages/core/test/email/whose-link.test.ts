import { createHash } from 'node:crypto'
import type { AuthConfig } from '@siteauth/core'
import type { EmailConfig } from '@siteauth/core/providers'
import { describe, expect, it, vi } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { askForLink, choose, passwordApplication } from '../passwords/application.ts'
import { createTestAuth, SECRET, Visitor } from '../visitor.ts'

const ANN = 'ann@example.com'
/** A token as Auth.js makes them, and as this library did. */
const PLAIN = 'f00d'.repeat(16)
/** A token of an application's making. */
const OWN = 'own-token-of-the-application'

function setUp(
  own: Partial<EmailConfig> = {},
  config: Partial<AuthConfig> = {},
  ids: readonly string[] = ['one', 'two'],
) {
  const adapter = MemoryAdapter()
  const sent: URL[] = []
  const auth = createTestAuth({
    adapter,
    providers: ids.map(id => ({
      id,
      name: id,
      type: 'email' as const,
      sendVerificationRequest: ({ url }) => void sent.push(new URL(url)),
      ...own,
    })),
    ...config,
  })
  return {
    auth,
    adapter,
    visitor: () => new Visitor(auth.handle),
    async ask(visitor: Visitor, id: string, email = ANN): Promise<URL> {
      await visitor.post(`/signin/${id}`, { email })
      return sent.at(-1) ?? new URL('none:')
    },
  }
}

/** The same link, to the callback of another provider. */
function at(link: URL, id: string, changes: Record<string, string> = {}): URL {
  const moved = new URL(link)
  moved.pathname = moved.pathname.replace(/[^/]+$/, id)
  for (const [name, value] of Object.entries(changes)) moved.searchParams.set(name, value)
  return moved
}

/** Stores a link as Auth.js does, and the versions before this one. */
async function storeOlder(
  { adapter }: Pick<ReturnType<typeof setUp>, 'adapter'>,
  token: string = PLAIN,
  identifier: string = ANN,
): Promise<URL> {
  const hashed = createHash('sha256').update(`${token}${SECRET}`).digest('hex')
  const expires = new Date(Date.now() + 60_000)
  await adapter.createVerificationToken({ identifier, token: hashed, expires })
  const query = new URLSearchParams({ callbackUrl: '/', token, email: identifier })
  return new URL(`https://app.example.com/auth/callback/one?${query}`)
}

async function pageOf(visitor: Visitor, link: URL): Promise<string> {
  const answer = await visitor.send(link.href)
  if (answer.status !== 200) return answer.headers.get('location') ?? ''
  const [, body = ''] = (await answer.text()).split('<body')
  return body
}

const kinds: readonly [string, Partial<EmailConfig>][] = [
  ['of our making', {}],
  ['of the own making', { generateVerificationToken: () => OWN }],
  ['of the own making that looks like ours', { generateVerificationToken: () => PLAIN }],
]

describe.each(kinds)('a link with a token %s', (_, own) => {
  it('is refused at the callback of another provider, and works at its own afterwards', async () => {
    const set = setUp(own)
    const visitor = set.visitor()
    const link = await set.ask(visitor, 'one')
    const refused = await visitor.openLink(at(link, 'two'))
    expect(refused.headers.get('location')).toContain('error=Verification')
    expect(await visitor.session()).toBeNull()
    await visitor.openLink(link)
    expect(await visitor.session()).toMatchObject({ user: { email: ANN } })
  })

  it('is refused where another provider signs in without a page', async () => {
    const set = setUp({ ...own, confirm: false })
    const visitor = set.visitor()
    const link = await set.ask(visitor, 'one')
    await set.ask(visitor, 'two', 'ben@example.com')
    await visitor.send(at(link, 'two').href)
    expect(await visitor.session()).toBeNull()
  })

  it('is no proof of another address', async () => {
    const set = setUp(own)
    const visitor = set.visitor()
    const link = await set.ask(visitor, 'one')
    await set.ask(set.visitor(), 'one', 'ben@example.com')
    await visitor.openLink(at(link, 'one', { email: 'cleo@example.com' }))
    expect(await visitor.session()).toBeNull()
  })

  it('is stored in the known form where there is one provider', async () => {
    const set = setUp(own, {}, ['one'])
    const stored = vi.spyOn(set.adapter, 'createVerificationToken')
    const token = (await set.ask(set.visitor(), 'one')).searchParams.get('token')
    const hash = createHash('sha256').update(`${token}${SECRET}`).digest('hex')
    expect(stored).toHaveBeenCalledWith(expect.objectContaining({ token: hash, identifier: ANN }))
  })

  it('works if it was stored in the known form, and a provider was added since', async () => {
    const set = setUp(own)
    const link = await storeOlder(set, (await own.generateVerificationToken?.()) ?? PLAIN)
    const visitor = set.visitor()
    await visitor.openLink(link)
    expect(await visitor.session()).toMatchObject({ user: { email: ANN } })
  })
})

describe('a link of our making', () => {
  it('is stored in the known form also where there are several providers, for older servers', async () => {
    const set = setUp()
    const stored = vi.spyOn(set.adapter, 'createVerificationToken')
    const token = (await set.ask(set.visitor(), 'one')).searchParams.get('token')
    const hash = createHash('sha256').update(`${token}${SECRET}`).digest('hex')
    expect(stored).toHaveBeenCalledWith(expect.objectContaining({ token: hash, identifier: ANN }))
  })

  it('is not turned into an older one by leaving out whose it is', async () => {
    const set = setUp()
    const visitor = set.visitor()
    const link = await set.ask(visitor, 'one')
    const token = link.searchParams.get('token') ?? ''
    for (const shorter of [token.slice(0, 64), token.slice(0, -1), token.replace('.', '')]) {
      await visitor.openLink(at(link, 'two', { token: shorter }))
      await visitor.openLink(at(link, 'one', { token: shorter }))
      expect(await visitor.session()).toBeNull()
    }
  })

  it('is refused before the store is asked', async () => {
    const set = setUp()
    const visitor = set.visitor()
    const link = await set.ask(visitor, 'one')
    const used = vi.spyOn(set.adapter, 'useVerificationToken')
    await visitor.confirmLink(at(link, 'two'))
    await visitor.confirmLink(at(link, 'one', { email: 'ben@example.com' }))
    await visitor.confirmLink(at(link, 'one', { token: 'x' }))
    expect(used).not.toHaveBeenCalled()
  })

  it('of a tenant is refused by another, whose secret is the same', async () => {
    const set = setUp({}, { session: { audience: 'acme' } })
    const link = await set.ask(set.visitor(), 'one')
    const other = setUp({}, { session: { audience: 'globex' }, adapter: set.adapter })
    const visitor = other.visitor()
    expect(await pageOf(visitor, link)).toContain('error=Verification')
    await visitor.openLink(link)
    expect(await visitor.session()).toBeNull()
  })

  it.each([
    ['a secret was added', SECRET, ['a newer secret, long enough too!!!!', SECRET]],
    ['there were two', ['new '.repeat(9), SECRET], ['newer '.repeat(6), 'new '.repeat(9), SECRET]],
  ])('has a page that names its address although %s', async (_, before, after) => {
    const old = setUp({}, { secret: before })
    const link = await old.ask(old.visitor(), 'one')
    const visitor = setUp({}, { secret: after, adapter: old.adapter }).visitor()
    expect(await pageOf(visitor, link)).toContain(ANN)
    await visitor.openLink(link)
    expect(await visitor.session()).toMatchObject({ user: { email: ANN } })
  })
})

describe('the page behind a link', () => {
  const texts = [
    'Your account is locked. Call +1 555 0100',
    'support@bank.example is waiting: call +1 555 0100',
    '"Your account is locked"@example.com',
    'a@b@example.com',
    'nobody',
    'ann@example.com ',
  ]

  it.each(texts)('does not show %j', async email => {
    for (const own of [{}, { generateVerificationToken: () => OWN }]) {
      const set = setUp(own)
      const visitor = set.visitor()
      const link = await set.ask(visitor, 'one')
      for (const token of [link.searchParams.get('token') ?? '', PLAIN, OWN, 'x']) {
        const page = await pageOf(visitor, at(link, 'one', { email, token }))
        expect(page).toContain('error=Verification')
        expect(page).not.toContain('555')
      }
    }
  })

  it('shows no address beside a token that was made for another, or that is none', async () => {
    const set = setUp()
    const visitor = set.visitor()
    const link = await set.ask(visitor, 'one')
    const token = link.searchParams.get('token') ?? ''
    const [random = '', mark = ''] = token.split('.')
    const tokens = [
      token,
      `${'0'.repeat(64)}.${mark}`,
      `${random}.${'A'.repeat(22)}`,
      'x',
      '1'.repeat(63),
    ]
    for (const each of tokens) {
      const email = 'your.account@is-locked.example'
      expect(await pageOf(visitor, at(link, 'one', { email, token: each }))).toContain(
        'error=Verification',
      )
    }
    expect(await pageOf(visitor, at(link, 'two'))).toContain('error=Verification')
    expect(await pageOf(visitor, link)).toContain(ANN)
  })

  it('shows the address of a link that was sent before the library was swapped', async () => {
    const set = setUp()
    expect(await pageOf(set.visitor(), await storeOlder(set))).toContain(ANN)
  })

  it('shows what the own normalizeIdentifier takes, and nothing else', async () => {
    const phone = (typed: string) => {
      const digits = typed.replaceAll(/[ -]/g, '')
      if (!/^\+\d{6,15}$/.test(digits)) throw new Error('no phone number')
      return digits
    }
    for (const own of [{}, { generateVerificationToken: () => OWN }]) {
      const set = setUp({ ...own, normalizeIdentifier: phone })
      const visitor = set.visitor()
      const link = await set.ask(visitor, 'one', '+49 30 123456')
      expect(await pageOf(visitor, link)).toContain('+4930123456')
      await visitor.openLink(link)
      expect(await visitor.session()).toMatchObject({ user: { email: '+4930123456' } })
      const email = 'Your account is locked'
      for (const token of [link.searchParams.get('token') ?? '', PLAIN]) {
        expect(await pageOf(visitor, at(link, 'one', { email, token }))).toContain(
          'error=Verification',
        )
      }
    }
  })

  it('to choose a password shows only an address that parses, beside a token of its own', async () => {
    const app = passwordApplication()
    const visitor = app.visitor()
    const link = await askForLink(app, visitor)
    expect(await pageOf(visitor, link)).toContain(ANN)
    for (const email of [...texts, 'your.account@is-locked.example']) {
      expect(await pageOf(visitor, at(link, 'password', { email }))).toContain('error=Verification')
    }
    for (const email of texts) {
      const page = await pageOf(visitor, at(link, 'password', { email, token: PLAIN }))
      expect(page).toContain('error=Verification')
    }
    expect(await choose(visitor, link)).toBe('in')
  })
})
