import type { AuthConfig } from '@siteauth/core'
import type { Adapter, AdapterUser, VerificationToken } from '@siteauth/core/adapters'
import type { EmailConfig } from '@siteauth/core/providers'
import { describe, expect, it, vi } from 'vitest'
import { memoryAdapter } from '../spec/memory-adapter.ts'
import { createTestAuth, SECRET, Visitor } from '../visitor.ts'

function tokenStore(people: readonly Omit<AdapterUser, 'emailVerified'>[] = []) {
  const memory = memoryAdapter(people)
  const tokens: VerificationToken[] = []
  const adapter: Adapter = {
    ...memory.adapter,
    async createUser(user) {
      memory.users.set(user.id, user as AdapterUser & { emailVerified: null })
      return user
    },
    async updateUser(changes) {
      const changed = { ...memory.users.get(changes.id), ...changes } as AdapterUser
      memory.users.set(changed.id, changed as AdapterUser & { emailVerified: null })
      return changed
    },
    async createVerificationToken(token) {
      tokens.push(token)
      return token
    },
    async useVerificationToken({ identifier, token }) {
      const at = tokens.findIndex(each => each.identifier === identifier && each.token === token)
      return at === -1 ? null : (tokens.splice(at, 1)[0] ?? null)
    },
  }
  return { ...memory, adapter, tokens }
}

function setUp(
  config: Partial<AuthConfig> = {},
  provider: Partial<EmailConfig> = {},
  people: Parameters<typeof tokenStore>[0] = [],
  env: Readonly<Record<string, string>> = {},
) {
  const store = tokenStore(people)
  const sent: { url: string; identifier: string }[] = []
  const mail: EmailConfig = {
    id: 'mail',
    name: 'Mail',
    type: 'email',
    sendVerificationRequest: ({ url, identifier }) => void sent.push({ url, identifier }),
    ...provider,
  }
  const auth = createTestAuth({ adapter: store.adapter, providers: [mail], ...config }, env)
  return { auth, store, sent, visitor: new Visitor(auth.handle) }
}

/** Asks for a link; answers it. */
async function ask(
  { sent, visitor }: Pick<ReturnType<typeof setUp>, 'sent' | 'visitor'>,
  fields: Record<string, string> = {},
): Promise<URL> {
  await visitor.post('/signin/mail', { email: 'Ann@Example.com', ...fields })
  return new URL(sent.at(-1)?.url ?? '')
}

/** Opens a link as a person does. */
function open(visitor: Visitor, link: URL): Promise<Response> {
  return visitor.openLink(link)
}

describe.each(['jwt', 'database'] as const)('signing in by email, %s sessions', strategy => {
  const session = { strategy }

  it('sends a link that signs in, to where the visitor wanted to be', async () => {
    const set = setUp({ session })
    const link = await ask(set, { callbackUrl: '/inbox' })
    expect([...link.searchParams.keys()]).toEqual(['callbackUrl', 'token', 'email'])
    expect(set.sent[0]?.identifier).toBe('ann@example.com')
    const finished = await open(set.visitor, link)
    expect(finished.headers.get('location')).toBe('https://app.example.com/inbox')
    expect(await set.visitor.session()).toMatchObject({ user: { email: 'ann@example.com' } })
  })

  it('creates a user whose address is verified, and says so once', async () => {
    const createUser = vi.fn()
    const set = setUp({ session, events: { createUser } })
    await open(set.visitor, await ask(set))
    expect([...set.store.users.values()]).toMatchObject([
      { email: 'ann@example.com', emailVerified: expect.any(Date) },
    ])
    expect(createUser).toHaveBeenCalledTimes(1)
  })

  it('finds the user again by the address', async () => {
    const createUser = vi.fn()
    const set = setUp({ session, events: { createUser } })
    await open(set.visitor, await ask(set))
    await open(new Visitor(set.auth.handle), await ask(set))
    expect(set.store.users.size).toBe(1)
    expect(createUser).toHaveBeenCalledTimes(1)
  })
})

it('makes the ids of users and sessions from the randomness that it is given', async () => {
  const ports = { randomHex: (bytes: number) => 'ab'.repeat(bytes) }
  const set = setUp({ session: { strategy: 'database' }, ports })
  await open(set.visitor, await ask(set))
  const id = 'abababab-abab-4bab-abab-abababababab'
  expect([...set.store.users.keys()]).toEqual([id])
  expect([...set.store.sessions.keys()]).toEqual([id])
})

describe('a link', () => {
  it('is not used up by a program that opens it', async () => {
    const set = setUp()
    const link = await ask(set)
    for (let time = 0; time < 3; time++) {
      const seen = await set.auth.handle(new Request(link))
      expect(seen.status).toBe(200)
      expect(seen.headers.getSetCookie().join()).not.toContain('session-token')
    }
    expect((await set.auth.handle(new Request(link, { method: 'HEAD' }))).status).toBe(405)
    await open(set.visitor, link)
    expect(await set.visitor.session()).not.toBeNull()
  })

  it('goes on by itself in the browser that asked, and asks for a click in any other', async () => {
    const set = setUp()
    const link = await ask(set)
    const here = await set.visitor.send(link.href)
    expect(await here.text()).toContain('data-submits-itself')
    const elsewhere = await new Visitor(set.auth.handle).send(link.href)
    const page = await elsewhere.text()
    expect(page).not.toContain('data-submits-itself')
    expect(page).toContain('<button')
    expect(page).toContain('ann@example.com')
  })

  it('signs in at once where the provider says so, in the browser that asked for it', async () => {
    const set = setUp({}, { confirm: false })
    await set.visitor.send((await ask(set)).href)
    expect(await set.visitor.session()).not.toBeNull()
  })

  it('signs in nobody whom somebody else has sent it to, before they say so', async () => {
    const set = setUp({}, { confirm: false })
    const elsewhere = new Visitor(set.auth.handle)
    const answer = await elsewhere.send((await ask(set)).href)
    expect(await answer.text()).toContain('ann@example.com')
    expect(await elsewhere.session()).toBeNull()
  })

  it.each([
    ['a form of another site', { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }],
    ['a form of a neighbour', { 'sec-fetch-site': 'same-site' }],
    ['a form without the token', {}],
  ])('signs in nobody by %s', async (_what, headers) => {
    const set = setUp()
    const link = await ask(set)
    const victim = new Visitor(set.auth.handle)
    await victim.send(link.href)
    const body = link.searchParams
    const answer = await victim.send('/callback/mail', { method: 'POST', headers, body })
    expect(answer.headers.get('location')).toContain('error=MissingCSRF')
    expect(await victim.session()).toBeNull()
    await open(set.visitor, link)
    expect(await set.visitor.session()).not.toBeNull()
  })

  it('works once', async () => {
    const set = setUp()
    const link = await ask(set)
    await open(set.visitor, link)
    const again = await open(new Visitor(set.auth.handle), link)
    expect(again.headers.get('location')).toBe(
      'https://app.example.com/auth/error?error=Verification',
    )
  })

  it('signs in one of many who use it at the same time', async () => {
    const set = setUp()
    const link = await ask(set)
    const visitors = Array.from({ length: 50 }, () => new Visitor(set.auth.handle))
    await Promise.all(visitors.map(visitor => open(visitor, link)))
    const sessions = await Promise.all(visitors.map(visitor => visitor.session()))
    expect(sessions.filter(Boolean)).toHaveLength(1)
    expect(set.store.users.size).toBe(1)
  })

  it('ends when its time is over', async () => {
    let now = Date.now()
    const set = setUp({ ports: { now: () => now } }, { maxAge: 600 })
    const link = await ask(set)
    now += 601_000
    const late = await open(set.visitor, link)
    expect(late.headers.get('location')).toContain('error=Verification')
    expect(await set.visitor.session()).toBeNull()
  })

  it('signs in nobody but the one it was sent to', async () => {
    const set = setUp({}, {}, [{ id: 'v', email: 'victim@example.com' }])
    const link = await ask(set)
    link.searchParams.set('email', 'victim@example.com')
    expect((await open(set.visitor, link)).headers.get('location')).toContain('error=Verification')
    expect(set.store.users.get('v')?.emailVerified).toBeNull()
  })

  it('is not believed when the store answers the token of somebody else', async () => {
    const set = setUp()
    set.store.adapter.useVerificationToken = async () => ({
      identifier: 'victim@example.com',
      token: 'x',
      expires: new Date(Date.now() + 1000),
    })
    const auth = createTestAuth({
      adapter: set.store.adapter,
      providers: [{ id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest() {} }],
    })
    const visitor = new Visitor(auth.handle)
    await visitor.post('/callback/mail', { token: 'anything', email: 'ann@example.com' })
    expect(await visitor.session()).toBeNull()
  })

  it('is stored as a hash in the known form, so that nobody who reads the store has it', async () => {
    const set = setUp({}, { generateVerificationToken: () => 'a'.repeat(64) })
    await ask(set)
    const digest = await crypto.subtle.digest(
      'SHA-256',
      new TextEncoder().encode('a'.repeat(64) + SECRET),
    )
    expect(set.store.tokens[0]?.token).toBe(Buffer.from(digest).toString('hex'))
  })

  it.each([
    ['a secret was added', SECRET, ['a newer secret, long enough too!!!!', SECRET]],
    [
      'an old secret was removed',
      ['new '.repeat(9), SECRET],
      ['newer '.repeat(6), 'new '.repeat(9), SECRET],
    ],
  ])('works although %s since it was sent', async (_, before, after) => {
    const old = setUp({ secret: before })
    const link = await ask(old)
    const auth = createTestAuth({
      secret: after,
      adapter: old.store.adapter,
      providers: [{ id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest() {} }],
    })
    const visitor = new Visitor(auth.handle)
    await open(visitor, link)
    expect(await visitor.session()).not.toBeNull()
  })
})

describe('asking for a link', () => {
  it.each([
    'a@x.test,b@y.test',
    '"e@evil.test"@victim.test',
    '=?utf-8?q?victim=40x.test?=@evil.test',
    '\u212Aai@x.test',
    'nobody',
    '',
  ])('sends nothing to %j, and says so', async email => {
    const signIn = vi.fn(() => true)
    const set = setUp({ callbacks: { signIn } })
    const answer = await set.visitor.post('/signin/mail', { email })
    expect(answer.headers.get('location')).toContain('/auth/signin?error=EmailSignInError')
    expect(set.sent).toEqual([])
    expect(set.store.tokens).toEqual([])
    expect(signIn).not.toHaveBeenCalled()
  })

  it.each(['a@evil.test@x.test', 'a\n@x.test', '=?utf-8?q?a?=@x.test', '=?utf-8?q?a?=', ''])(
    'sends nothing where the own normalizeIdentifier answers %j',
    async identifier => {
      const set = setUp({}, { normalizeIdentifier: () => identifier })
      const answer = await set.visitor.post('/signin/mail', { email: 'ann@example.com' })
      expect(answer.headers.get('location')).toContain('error=EmailSignInError')
      expect(set.sent).toEqual([])
    },
  )

  it('leaves capitals, and what is no address at all, to an own normalizeIdentifier', async () => {
    const set = setUp({}, { normalizeIdentifier: typed => typed })
    await set.visitor.post('/signin/mail', { email: 'Ann@Example.com' })
    await set.visitor.post('/signin/mail', { email: '+4930123456' })
    expect(set.sent.map(({ identifier }) => identifier)).toEqual(['Ann@Example.com', '+4930123456'])
  })

  it('answers the same whether or not the address is known', async () => {
    const set = setUp({}, {}, [{ id: 'u1', email: 'known@example.com' }])
    const answers = await Promise.all(
      ['known@example.com', 'unknown@example.com'].map(async email => {
        const answer = await new Visitor(set.auth.handle).post('/signin/mail', { email })
        return [answer.status, answer.headers.get('location')]
      }),
    )
    expect(answers[0]).toEqual(answers[1])
    expect(answers[0]).toEqual([
      302,
      'https://app.example.com/auth/verify-request?provider=mail&type=email',
    ])
  })

  it('asks the application at the request and at the click', async () => {
    const signIn = vi.fn((_: unknown) => true)
    const set = setUp({ callbacks: { signIn } })
    await open(set.visitor, await ask(set))
    expect(signIn.mock.calls.map(([params]) => Object.keys(params as object))).toEqual([
      ['user', 'account', 'email', 'isEmailProven'],
      ['user', 'account', 'isEmailProven'],
    ])
    expect(signIn.mock.calls).toMatchObject([[{ isEmailProven: false }], [{ isEmailProven: true }]])
  })

  it('sends nothing where the application refuses', async () => {
    const set = setUp({ callbacks: { signIn: () => false } })
    const answer = await set.visitor.post('/signin/mail', { email: 'ann@example.com' })
    expect(answer.headers.get('location')).toContain('/auth/error?error=AccessDenied')
    expect(set.sent).toEqual([])
  })

  it('reports a message that could not be sent, and crashes nothing', async () => {
    const set = setUp({}, { sendVerificationRequest: () => Promise.reject(new Error('no route')) })
    await set.visitor.post('/signin/mail', { email: 'ann@example.com' })
    expect(set.auth.errors.at(-1)).toMatchObject({
      type: 'EmailSignInError',
      cause: { err: new Error('no route') },
    })
  })

  it.each([
    ['server, if it is down', new Error('no route'), 'not your fault', 'Check the address'],
    [
      'address, if that is refused',
      Object.assign(new Error('550 who is that?'), { code: 'EENVELOPE' }),
      'Check the address',
      'not your fault',
    ],
  ])('blames the %s', async (_whom, failure, said, unsaid) => {
    const set = setUp({}, { sendVerificationRequest: () => Promise.reject(failure) })
    const answer = await set.visitor.post('/signin/mail', { email: 'ann@example.com' })
    const location = answer.headers.get('location') ?? ''
    expect(new URL(location).pathname).toBe('/auth/signin')
    const page = await (await set.visitor.send(location)).text()
    expect(page).toContain(said)
    expect(page).not.toContain(unsaid)
  })

  it.each([
    ['AUTH_URL is set', {}, { AUTH_URL: 'https://app.example.com' }],
    ['hosts are listed', { trustHost: ['app.example.com'] }, {}],
  ])(
    'sends a link to the site over https where %s, whatever headers say',
    async (_, config, env) => {
      for (const headers of [
        { 'x-forwarded-proto': 'http' },
        { 'x-forwarded-proto': 'http, https' },
        { 'x-forwarded-host': 'evil.test' },
        { 'x-forwarded-host': 'evil.test, app.example.com.evil.test', 'x-forwarded-proto': 'http' },
        { host: 'evil.test', 'x-forwarded-proto': 'http' },
      ] as Record<string, string>[]) {
        const set = setUp(config, {}, [], env)
        await set.visitor.post('/signin/mail', { email: 'ann@example.com' }, headers)
        for (const { url } of set.sent) expect(url).toMatch(/^https:\/\/app\.example\.com\/auth\//)
      }
    },
  )

  it('refuses a form from elsewhere', async () => {
    const set = setUp()
    const answer = await set.visitor.send('/signin/mail', {
      method: 'POST',
      body: new URLSearchParams({ email: 'ann@example.com' }),
    })
    expect(answer.headers.get('location')).toContain('error=MissingCSRF')
    expect(set.sent).toEqual([])
  })
})

describe('the message', () => {
  const messageFor = async (config: Partial<AuthConfig>, accept = 'en') => {
    const messages: { subject: string; text: string; html: string }[] = []
    const set = setUp(config, {
      sendVerificationRequest: ({ message }) => void messages.push(message),
    })
    await set.visitor.post(
      '/signin/mail',
      { email: 'ann@example.com' },
      { 'accept-language': accept },
    )
    const [message] = messages
    if (!message) throw new Error('nothing was sent')
    return message
  }

  it('has the link, in text and in HTML, and speaks as the pages do', async () => {
    const { subject, text, html } = await messageFor({})
    expect(subject).toBe('Sign in to app.example.com')
    expect(text).toContain('https://app.example.com/auth/callback/mail?')
    expect(html).toContain('href="https://app.example.com/auth/callback/mail?callbackUrl=')
    expect(html).toContain('If you did not ask for this email, you can ignore it.')
  })

  it('is written in the language of who asked for it, from the right where that is so', async () => {
    expect((await messageFor({}, 'de-CH')).subject).toBe('Bei app.example.com anmelden')
    expect((await messageFor({}, 'ar')).html).toContain('<html lang="ar" dir="rtl">')
    const translations = { en: { signInTo: 'Welcome to {host}' } }
    expect((await messageFor({ translations })).subject).toBe('Welcome to app.example.com')
  })

  it('has the colours and the logo of the theme', async () => {
    const { html } = await messageFor({ theme: { brandColor: '#ffd400', logo: '/logo.png' } })
    expect(html).toContain('background:#ffd400;color:#0b0d12')
    expect(html).toContain('src="https://app.example.com/logo.png"')
  })

  it.each([
    '"><img src=x onerror=alert(1)>',
    '</style><script>alert(1)</script>',
    'javascript:alert(1)',
  ])('is what it is meant to be, whatever the configuration says: %j', async attack => {
    const { html } = await messageFor({
      theme: { brandColor: attack, buttonText: attack, logo: attack },
      translations: {
        en: { signIn: attack, emailText: attack, emailIgnore: attack, signInTo: attack },
      },
    })
    expect(html).not.toMatch(/<img|<script|(?:href|src)="javascript:/)
    expect(html.match(/<\/style>/g)).toHaveLength(1)
  })
})
