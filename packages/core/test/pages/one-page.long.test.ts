import type { AuthConfig } from '@siteauth/core'
import type { EmailConfig } from '@siteauth/core/providers'
import Credentials from '@siteauth/core/providers/credentials'
import GitHub from '@siteauth/core/providers/github'
import Google from '@siteauth/core/providers/google'
import Passkey from '@siteauth/core/providers/passkey'
import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import {
  ANN,
  askForLink,
  choose,
  GOOD,
  passwordApplication,
  signUp,
} from '../passwords/application.ts'
import { seenOf } from '../passwords/seen-answer.ts'
import type { Visitor } from '../visitor.ts'

const TYPED = '__Host-authjs.sign-in-form'
const LAST = '__Host-siteauth.last-provider'
const client = { clientId: 'id', clientSecret: 'secret' }

/** An application with passwords, and whatever else is given. */
function application(
  providers: AuthConfig['providers'],
  { config = {}, mailFault }: { config?: Partial<AuthConfig>; mailFault?: Error } = {},
) {
  const links: string[] = []
  const mail: EmailConfig = {
    id: 'mail',
    name: 'Mail',
    type: 'email',
    code: true,
    sendVerificationRequest({ url }) {
      if (mailFault) throw mailFault
      links.push(url)
    },
  }
  const app = passwordApplication({
    experimental: { enableWebAuthn: true },
    ...config,
    providers: [mail, ...providers],
  })
  return { ...app, links }
}

const everything = [GitHub(client), Google(client), Passkey]

const pageAt = async (visitor: Visitor, path: string, language = 'en') =>
  (await visitor.get(path, { accept: 'text/html', 'accept-language': language })).text()

const typeAddress = (visitor: Visitor, email: string, fields: Record<string, string> = {}) =>
  visitor.post('/signin', { email, ...fields })

/** Types an address, and answers the page that comes then. */
async function waysFor(visitor: Visitor, email = ANN): Promise<string> {
  return follow(visitor, await typeAddress(visitor, email))
}

const follow = (visitor: Visitor, response: Response) =>
  pageAt(visitor, response.headers.get('location') ?? '')

const formsOf = (page: string) =>
  [...page.matchAll(/<form[^>]*data-method="([^"]+)"/g)].map(([, id]) => id)

const formOf = (page: string, id: string) =>
  new RegExp(`<form[^>]*data-method="${id}".*?</form>`).exec(page)?.[0] ?? ''

const inputOf = (page: string, name: string) =>
  new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(page)?.[0] ?? ''

describe('the first step', () => {
  it('has buttons above, and one field for the address that offers passkeys', async () => {
    const page = await pageAt(application(everything).visitor(), '/signin')
    expect(formsOf(page)).toEqual(['github', 'google', 'address'])
    expect(inputOf(page, 'email')).toContain('autocomplete="username webauthn"')
    expect(page.match(/name="email"/g)).toHaveLength(1)
    expect(page).not.toContain('type="password"')
    expect(page).toMatch(/<form action="[^"]+\/callback\/passkey"[^>]* hidden data-passkey-options/)
  })

  it('offers no passkeys in the field where there are none, or autofill is off', async () => {
    const page = await pageAt(application([]).visitor(), '/signin')
    expect(inputOf(page, 'email')).toContain('autocomplete="username"')
    expect(page).not.toContain('data-passkey-options')
    const off = application([Passkey({ enableConditionalUI: false })])
    expect(await pageAt(off.visitor(), '/signin')).not.toContain('data-passkey-options')
  })

  it('leaves credentials of the application their own form, and keys that ask for more', async () => {
    const own = Credentials({
      credentials: { badge: { label: 'Badge' } },
      authorize: () => null,
    })
    const key = Passkey({ formFields: { email: {}, name: {} } })
    const page = await pageAt(application([GitHub(client), own, key]).visitor(), '/signin')
    expect(formsOf(page)).toEqual(['github', 'address', 'credentials', 'passkey'])
    expect(formOf(page, 'credentials')).toContain('name="badge"')
  })

  it('takes the address from a link to the page', async () => {
    const page = await pageAt(application([]).visitor(), `/signin?email=${ANN}`)
    expect(inputOf(page, 'email')).toContain(`value="${ANN}"`)
  })

  it('asks once more for what is no address, and shows what was typed', async () => {
    const visitor = application(everything).visitor()
    const response = await typeAddress(visitor, 'ann at example')
    expect(response.headers.get('location')).toBe(
      'https://app.example.com/auth/signin?error=EmailSignInError',
    )
    const page = await follow(visitor, response)
    expect(formOf(page, 'address')).toContain('role="alert"')
    expect(inputOf(page, 'email')).toContain('value="ann at example"')
    expect(inputOf(page, 'email')).toContain('aria-invalid="true"')
  })

  it('says so where an address is too long to be one', async () => {
    const visitor = application(everything).visitor()
    const long = `${'a'.repeat(60)}@${`${'b'.repeat(60)}.`.repeat(4)}example`
    const response = await typeAddress(visitor, long)
    expect(response.headers.get('location')).toContain('error=EmailSignInError')
  })

  it('leaves what an address is to an application that reads them itself', async () => {
    const intranet: EmailConfig = {
      id: 'intranet',
      name: 'Intranet',
      type: 'email',
      normalizeIdentifier: typed => typed.trim(),
      sendVerificationRequest() {},
    }
    const visitor = application([intranet]).visitor()
    const page = await waysFor(visitor, 'ann@intranet')
    expect(inputOf(formOf(page, 'intranet'), 'email')).toContain('value="ann@intranet"')
    const nothing = await typeAddress(visitor, ' ')
    expect(nothing.headers.get('location')).toContain('error=EmailSignInError')
  })

  it('is not there where one kind of them is configured, which has its own form', async () => {
    const alone = passwordApplication({ providers: [GitHub(client)] })
    const visitor = alone.visitor()
    expect(formsOf(await pageAt(visitor, '/signin'))).toEqual(['password', 'github'])
    const response = await typeAddress(visitor, ANN)
    expect(response.headers.get('location')).toBe('https://app.example.com/auth/signin')
    expect(visitor.cookies.has(TYPED)).toBe(false)
    expect(formsOf(await pageAt(visitor, '/signin?step=2'))).toEqual(['password', 'github'])
  })

  it('leads to the page of an application that has its own', async () => {
    const visitor = application([], { config: { pages: { signIn: '/login' } } }).visitor()
    const response = await typeAddress(visitor, ANN)
    expect(response.headers.get('location')).toMatch(/^https:\/\/app\.example\.com\/login\?/)
    expect(visitor.cookies.has(TYPED)).toBe(false)
  })
})

describe('the second step', () => {
  it('has every way that begins with an address, in the order of the configuration', async () => {
    const page = await waysFor(application(everything).visitor())
    expect(formsOf(page)).toEqual(['password', 'mail', 'passkey'])
    for (const id of ['password', 'mail', 'passkey']) {
      expect(inputOf(formOf(page, id), 'email')).toContain(`value="${ANN}"`)
    }
    expect(formOf(page, 'password')).toContain('autocomplete="current-password"')
    expect(formOf(page, 'mail')).toContain('Email me a code')
    expect(formOf(page, 'passkey')).toContain('Sign in with a passkey')
  })

  it('shows the address, and a way back on which it is still in its field', async () => {
    const visitor = application(everything).visitor()
    const page = await waysFor(visitor)
    expect(page).toContain(`<bdi>${ANN}</bdi>`)
    const back = /<a class="site" href="([^"]+)">Use another address</.exec(page)?.[1] ?? ''
    expect(inputOf(await pageAt(visitor, back), 'email')).toContain(`value="${ANN}"`)
  })

  it('can be loaded again, and the address is not in its URL', async () => {
    const visitor = application(everything).visitor()
    const response = await typeAddress(visitor, ANN)
    const location = response.headers.get('location') ?? ''
    expect(location).toBe('https://app.example.com/auth/signin?step=2')
    expect(response.headers.getSetCookie().join('\n')).not.toContain('ann')
    await pageAt(visitor, location)
    expect(formsOf(await pageAt(visitor, location))).toContain('password')
  })

  it.each([
    ['nobody has typed an address', () => {}],
    [
      'it was typed in another browser',
      async (visitor: Visitor, app: ReturnType<typeof application>) => {
        const other = app.visitor()
        await typeAddress(other, ANN)
        visitor.cookies.set(TYPED, other.cookies.get(TYPED) ?? '')
      },
    ],
    [
      'it was typed more than ten minutes ago',
      async (visitor: Visitor, app: ReturnType<typeof application>) => {
        await typeAddress(visitor, ANN)
        app.clock.now += 11 * 60_000
      },
    ],
  ])('is the first again where %s', async (_, before) => {
    const app = application(everything)
    const visitor = app.visitor()
    await pageAt(visitor, '/signin')
    await before(visitor, app)
    const page = await pageAt(visitor, '/signin?step=2')
    expect(formsOf(page)).toEqual(['github', 'google', 'address'])
    expect(page).not.toContain(ANN)
  })

  it('is forgotten by whoever begins anew, and by whoever is signed in', async () => {
    const app = application(everything)
    await signUp(app)
    const visitor = app.visitor()
    await waysFor(visitor)
    expect(await pageAt(visitor, '/signin')).not.toContain(ANN)
    expect(visitor.cookies.has(TYPED)).toBe(false)
    await waysFor(visitor)
    await visitor.post('/signin/password', { email: ANN, password: GOOD })
    expect(visitor.cookies.has(TYPED)).toBe(false)
  })

  it.each([
    ['an address was typed', async () => {}],
    [
      'a password was wrong',
      async (visitor: Visitor) => {
        const fields = { email: ANN, password: 'wrong one' }
        await follow(visitor, await visitor.post('/signin/password', fields))
      },
    ],
  ])('is forgotten where %s, and then somebody is sent to sign in', async (_, before) => {
    const visitor = application(everything).visitor()
    await waysFor(visitor)
    await before(visitor)
    const page = await pageAt(visitor, '/signin?error=SessionRequired')
    expect(formsOf(page)).toEqual(['github', 'google', 'address'])
    expect(page).not.toContain(ANN)
    expect(visitor.cookies.has(TYPED)).toBe(false)
  })

  it('is still there after the script of a passkey has asked too often', async () => {
    const rules = { passkey: { network: { burst: 1, refillSeconds: 60 } } }
    const config = { limits: { rules }, clientAddress: () => '192.0.2.1' }
    const visitor = application(everything, { config }).visitor()
    await waysFor(visitor)
    await visitor.get('/webauthn-options/passkey')
    expect((await visitor.get('/webauthn-options/passkey')).status).toBe(429)
    expect(formsOf(await pageAt(visitor, '/signin?step=2'))).toContain('password')
  })

  it('takes no address from a form of another site', async () => {
    const visitor = application(everything).visitor()
    await pageAt(visitor, '/signin')
    const response = await visitor.send('/signin', {
      method: 'POST',
      headers: { origin: 'https://evil.example' },
      body: new URLSearchParams({ email: ANN }),
    })
    expect(response.headers.get('location')).toContain('error=MissingCSRF')
    expect(visitor.cookies.has(TYPED)).toBe(false)
  })

  it('shows an address that is an attack as what it is', async () => {
    const visitor = application(everything).visitor()
    const page = await waysFor(visitor, "o'ann&co`x`@example.com")
    expect(page).toContain('<bdi>o&#39;ann&amp;co`x`@example.com</bdi>')
  })

  it('leads to the wish that the first began with', async () => {
    const app = application(everything)
    await signUp(app)
    const visitor = app.visitor()
    await pageAt(visitor, '/signin?callbackUrl=/orders')
    const page = await waysFor(visitor)
    expect(inputOf(page, 'callbackUrl')).toContain('value="https://app.example.com/orders"')
  })

  it('knows who asked on the first to stay signed in', async () => {
    const app = application(everything, { config: { session: { remember: 'ask' } } })
    const visitor = app.visitor()
    const response = await typeAddress(visitor, ANN, { remember: 'true' })
    expect(await follow(visitor, response)).toContain('data-remember checked')
    expect(await waysFor(visitor)).not.toContain('checked')
  })

  it('has the address on the page of those who forgot their password, or have none', async () => {
    const visitor = application(everything).visitor()
    await waysFor(visitor)
    for (const path of ['/password/forgot', '/password/sign-up']) {
      expect(inputOf(await pageAt(visitor, path), 'email')).toContain(`value="${ANN}"`)
    }
  })
})

describe('what went wrong', () => {
  it('with a password is said in its form, and the address is still there', async () => {
    const visitor = application(everything).visitor()
    await waysFor(visitor)
    const response = await visitor.post('/signin/password', { email: ANN, password: 'wrong one' })
    const page = await follow(visitor, response)
    expect(formOf(page, 'password')).toContain('role="alert"')
    expect(page.match(/role="alert"/g)).toHaveLength(1)
    expect(inputOf(formOf(page, 'mail'), 'email')).toContain(`value="${ANN}"`)
    expect(page).not.toContain('wrong one')
    expect(inputOf(await pageAt(visitor, '/password/forgot'), 'email')).toContain(ANN)
  })

  it('with a message is said in its form', async () => {
    const refused = Object.assign(new Error('no such mailbox'), { code: 'EENVELOPE' })
    const visitor = application(everything, { mailFault: refused }).visitor()
    await waysFor(visitor)
    const page = await follow(visitor, await visitor.post('/signin/mail', { email: ANN }))
    expect(formOf(page, 'mail')).toContain('The email could not be sent.')
  })

  it('with a passkey is said beside the other ways', async () => {
    const visitor = application(everything).visitor()
    await waysFor(visitor)
    const answer = { action: 'authenticate', data: '{}' }
    const response = await visitor.post('/callback/passkey', { email: ANN, ...answer })
    const page = await follow(visitor, response)
    expect(formOf(page, 'passkey')).toContain('The passkey was not accepted.')
    expect(formsOf(page)).toContain('password')
    const autofilled = await visitor.post('/callback/passkey', answer)
    const first = await follow(visitor, autofilled)
    expect(first).toContain('The passkey was not accepted.')
    expect(formsOf(first)).toContain('address')
  })

  it('at a provider is said on the first step, where the providers are', async () => {
    const visitor = application(everything).visitor()
    await waysFor(visitor)
    const page = await pageAt(visitor, '/signin?error=OAuthCallbackError')
    expect(formsOf(page)).toEqual(['github', 'google', 'address'])
    expect(page).toContain('role="alert"')
  })

  it('at a provider is not said in the form of a password that was wrong before', async () => {
    const visitor = application(everything).visitor()
    await waysFor(visitor)
    await follow(visitor, await visitor.post('/signin/password', { email: ANN, password: 'x' }))
    const page = await pageAt(visitor, '/signin?error=OAuthCallbackError')
    expect(formsOf(page)).toEqual(['github', 'google', 'address'])
  })

  it('too often is said in the form, with the address', async () => {
    const visitor = application(everything, { config: { limits: {} } }).visitor()
    const guess = () =>
      visitor.post('/signin/password', { email: ANN, password: 'x' }, { accept: 'text/html' })
    for (let tries = 0; tries < 5; tries++) await guess()
    const response = await guess()
    expect(response.status).toBe(429)
    const page = await response.text()
    expect(formOf(page, 'password')).toContain('Too many attempts.')
    expect(inputOf(formOf(page, 'mail'), 'email')).toContain(`value="${ANN}"`)
  })
})

describe('known and unknown addresses', () => {
  const UNKNOWN = 'eve@example.com'

  it('see the same bytes on the second step', async () => {
    const app = application(everything)
    await signUp(app)
    const story = async (email: string) => {
      const visitor = app.visitor()
      const typed = await typeAddress(visitor, email)
      const shown = await visitor.get(typed.headers.get('location') ?? '')
      return [await seenOf(typed, email), await seenOf(shown, email)]
    }
    const known = await story(ANN)
    expect(await story(UNKNOWN)).toEqual(known)
  })

  it('are not looked up for it', async () => {
    const adapter = {
      ...MemoryAdapter(),
      getUserByEmail: () => Promise.reject(new Error('looked up')),
    }
    const app = application(everything, { config: { adapter } })
    expect(formsOf(await waysFor(app.visitor()))).toEqual(['password', 'mail', 'passkey'])
    expect(app.errors).toEqual([])
  })

  it('see the same after each way that fails', async () => {
    const app = application(everything, { config: { limits: {} } })
    await signUp(app)
    app.clock.now += 3_600_000
    const story = async (email: string) => {
      const seen = []
      for (const [path, fields] of [
        ['/signin/password', { password: 'a wrong password, this' }],
        ['/signin/mail', {}],
        ['/callback/passkey', { action: 'authenticate', data: '{}' }],
      ] as const) {
        const visitor = app.visitor()
        await waysFor(visitor, email)
        const answer = await visitor.post(path, { email, ...fields })
        seen.push(await seenOf(answer, email))
        const next = await visitor.get(answer.headers.get('location') ?? '')
        seen.push(await seenOf(next, email))
      }
      return seen
    }
    const known = await story(ANN)
    expect(await story(UNKNOWN)).toEqual(known)
  })
})

describe('the provider used last', () => {
  const markOn = (page: string) =>
    formsOf(page).filter(id => formOf(page, id ?? '').includes('<small>Last used</small>'))

  it('is named by a cookie from a sign-in on, and by nothing before', async () => {
    const app = application(everything)
    const visitor = app.visitor()
    await waysFor(visitor)
    await visitor.post('/signin/password', { email: ANN, password: 'wrong' })
    const link = await askForLink(app, visitor)
    expect(visitor.cookies.has(LAST)).toBe(false)
    await choose(visitor, link)
    expect(visitor.cookies.get(LAST)).toBe('password')
    await visitor.post('/signout')
    expect(markOn(await pageAt(visitor, '/signin'))).toEqual([])
    expect(markOn(await waysFor(visitor))).toEqual(['password'])
  })

  it('has the first button, and a mark that needs no script', async () => {
    const visitor = application(everything).visitor()
    visitor.cookies.set(LAST, 'google')
    const page = await pageAt(visitor, '/signin')
    expect(formsOf(page)).toEqual(['google', 'github', 'address'])
    expect(markOn(page)).toEqual(['google'])
    expect(page).not.toContain('data-last-used')
  })

  it('is nobody that is not configured, whatever a cookie says', async () => {
    const visitor = application(everything).visitor()
    for (const planted of ['nobody', '%22%3E%3Cscript%3E', 'constructor']) {
      visitor.cookies.set(LAST, planted)
      const page = await pageAt(visitor, '/signin')
      expect(markOn(page)).toEqual([])
      expect(page).not.toContain(planted === 'constructor' ? 'constructor' : 'script>"')
    }
  })

  it('is not kept by a computer that is to forget people, nor where there is one field anyway', async () => {
    const shared = application(everything, { config: { session: { remember: false } } })
    expect((await signUp(shared)).cookies.has(LAST)).toBe(false)
    const alone = passwordApplication({ providers: [GitHub(client)] })
    expect((await signUp(alone)).cookies.has(LAST)).toBe(false)
  })

  it('is what pages of the application are told, by the endpoint and by the function', async () => {
    const app = application(everything)
    const visitor = await signUp(app)
    const told = (await (await visitor.get('/providers')).json()) as Record<string, object>
    expect(told['password']).toMatchObject({ id: 'password', type: 'password', lastUsed: true })
    expect(told['github']).not.toHaveProperty('lastUsed')
    const headers = { cookie: visitor.cookieHeader() }
    const url = 'https://app.example.com/login'
    expect(await app.listProviders({ headers, url })).toEqual(Object.values(told))
    const other = await app.listProviders({ headers: {}, url })
    expect(other.map(({ id }) => id)).toEqual(['password', 'mail', 'github', 'google', 'passkey'])
    expect(JSON.stringify(other)).not.toContain('lastUsed')
  })
})

it.each([
  ['de', 'Andere Adresse verwenden', 'Code per E-Mail senden', 'ltr'],
  ['ar', 'استخدام عنوان آخر', 'إرسال رمز إلى بريدي', 'rtl'],
  ['ja', '別のアドレスを使う', 'コードをメールで受け取る', 'ltr'],
])('speaks the language of the visitor: %s', async (language, another, send, direction) => {
  const visitor = application(everything).visitor()
  await typeAddress(visitor, ANN)
  const page = await pageAt(visitor, '/signin?step=2', language)
  expect(page).toContain(`>${another}<`)
  expect(page).toContain(`<span>${send}</span>`)
  expect(page).toContain(`dir="${direction}"`)
})
