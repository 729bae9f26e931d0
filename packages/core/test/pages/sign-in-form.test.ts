import { type AuthConfig, skipCSRFCheck } from '@siteauth/core'
import type { CredentialInput, EmailConfig } from '@siteauth/core/providers'
import Credentials from '@siteauth/core/providers/credentials'
import GitHub from '@siteauth/core/providers/github'
import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { createTestAuth, Visitor } from '../visitor.ts'

const PASSWORD = 'correct horse battery staple'
const COOKIE = '__Host-authjs.sign-in-form'

const refuses = (id: string, credentials: Record<string, CredentialInput>) =>
  Credentials({ id, name: id, credentials, authorize: () => null })

const password = refuses('password', {
  email: { label: 'Email', type: 'email' },
  password: { label: 'Password', type: 'password' },
})

function createVisitor(config: Partial<AuthConfig> = {}, auth = authWith(config)) {
  return new Visitor(auth.handle)
}

const authWith = (config: Partial<AuthConfig>) =>
  createTestAuth({ providers: [password], trustHost: true, ...config })

/** Sends a form and follows to the page that asks once more. */
async function fail(visitor: Visitor, provider: string, fields: Record<string, string>) {
  const response = await visitor.post(`/callback/${provider}`, fields)
  const location = response.headers.get('location') ?? ''
  return { response, location, page: await (await visitor.get(location)).text() }
}

/** The form of a provider. */
const formOf = (page: string, id: string) =>
  new RegExp(`<form[^>]*data-method="${id}".*?</form>`).exec(page)?.[0] ?? ''

const inputOf = (page: string, name: string) =>
  new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(page)?.[0] ?? ''

describe('after a wrong password', () => {
  const typed = { email: 'ann@example.com', password: PASSWORD }

  it('the address stays in its field, and the password does not', async () => {
    const { page } = await fail(createVisitor(), 'password', typed)
    expect(inputOf(page, 'email')).toContain('value="ann@example.com"')
    expect(inputOf(page, 'password')).not.toContain('value=')
    expect(page).not.toContain(PASSWORD)
  })

  it('neither is in an address or can be read in a cookie', async () => {
    const { response, location } = await fail(createVisitor(), 'password', typed)
    const cookies = response.headers.getSetCookie().join('\n')
    for (const secret of ['ann', 'example.com', PASSWORD, encodeURIComponent(PASSWORD)]) {
      expect(location.slice('https://app.example.com'.length)).not.toContain(secret)
      expect(cookies).not.toContain(secret)
    }
    expect(cookies).toMatch(
      new RegExp(`^${COOKIE}=[^;]+; Max-Age=120; Path=/; HttpOnly; Secure; SameSite=Lax$`, 'm'),
    )
  })

  it('the address is shown once, and never without an error', async () => {
    const visitor = createVisitor()
    await fail(visitor, 'password', typed)
    expect(visitor.cookies.has(COOKIE)).toBe(false)
    await visitor.post('/callback/password', typed)
    expect(await (await visitor.get('/signin')).text()).not.toContain('ann@example.com')
    const later = await visitor.get('/signin?error=CredentialsSignin')
    expect(await later.text()).not.toContain('ann@example.com')
  })

  it('the address is shown in no other browser, even with that cookie', async () => {
    const auth = authWith({})
    const ann = createVisitor({}, auth)
    await ann.post('/callback/password', typed)
    const bob = createVisitor({}, auth)
    await bob.get('/signin')
    bob.cookies.set(COOKIE, ann.cookies.get(COOKIE) ?? '')
    const page = await (await bob.get('/signin?error=CredentialsSignin')).text()
    expect(page).not.toContain('ann@example.com')
  })

  it('a cookie that is changed, or was sealed for another one, fills in nothing', async () => {
    const auth = authWith({
      adapter: MemoryAdapter(),
      providers: [
        password,
        { id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest: () => {} },
      ],
    })
    const visitor = new Visitor(auth.handle)
    await visitor.post('/signin/mail', { email: 'ann@example.com' })
    const { headers } = await visitor.post('/callback/password', typed)
    const location = headers.get('location') ?? ''
    const sealed = visitor.cookies.get(COOKIE) ?? ''
    const other = visitor.cookies.get('__Host-authjs.email-request') ?? ''
    expect([sealed.length > 99, other.length > 99]).toEqual([true, true])
    for (const value of ['', 'x', `${sealed}x`, sealed.slice(1), other]) {
      visitor.cookies.set(COOKIE, value)
      const response = await visitor.get(location)
      expect(response.status).toBe(200)
      expect(await response.text()).not.toContain('ann@example.com')
    }
    visitor.cookies.set(COOKIE, sealed)
    expect(await (await visitor.get(location)).text()).toContain('ann@example.com')
  })

  it('the address is shown beside a strict token of forms, which another cookie stands in for', async () => {
    const cookies = { csrfToken: { options: { sameSite: 'strict' } } } as const
    const visitor = createVisitor({ cookies })
    const { page } = await fail(visitor, 'password', typed)
    expect(visitor.cookies.has('__Host-siteauth.browser')).toBe(true)
    expect(inputOf(page, 'email')).toContain('value="ann@example.com"')
  })

  it('the address is shown by a server that checks forms, if another one did not when it was entered', async () => {
    const visitor = createVisitor({ skipCSRFCheck })
    const body = new URLSearchParams(typed)
    const failed = await visitor.send('/callback/password', { method: 'POST', body })
    const later = createVisitor()
    later.cookies.set(COOKIE, visitor.cookies.get(COOKIE) ?? '')
    const page = await (await later.get(failed.headers.get('location') ?? '')).text()
    expect(inputOf(page, 'email')).toContain('value="ann@example.com"')
  })

  it('the cookie is removed when it has been shown, and only if it was sent', async () => {
    const visitor = createVisitor()
    const { location } = await fail(visitor, 'password', typed)
    expect(visitor.cookies.has(COOKIE)).toBe(false)
    const { headers } = await visitor.get(location)
    expect(headers.getSetCookie().join()).not.toContain(COOKIE)
  })

  it('a form of another site fills in nothing', async () => {
    const visitor = createVisitor()
    await visitor.get('/signin')
    const response = await visitor.send('/callback/password', {
      method: 'POST',
      headers: { origin: 'https://evil.example' },
      body: new URLSearchParams(typed),
    })
    expect(response.headers.get('location')).toContain('error=MissingCSRF')
    expect(visitor.cookies.has(COOKIE)).toBe(false)
  })

  it.each([
    ['scripts, which show their own form', {}, { 'x-auth-return-redirect': '1' }],
    ['an application with a page of its own', { pages: { signIn: '/login' } }, {}],
  ])('nothing is kept for %s', async (_, config, headers) => {
    const visitor = createVisitor(config)
    await visitor.post('/callback/password', typed, headers as Record<string, string>)
    expect(visitor.cookies.has(COOKIE)).toBe(false)
  })
})

describe('a field of a form that failed', () => {
  const shows = async (name: string, input: Record<string, unknown>, value = 'the value') => {
    const provider = refuses('own', { [name]: input })
    const { page } = await fail(createVisitor({ providers: [provider] }), 'own', { [name]: value })
    return page.includes(value)
  }

  it.each([
    ['email', {}],
    ['work', { type: 'email' }],
    ['username', { type: 'text' }],
    ['user_name', {}],
    ['phone', { type: 'tel' }],
    ['member', { autocomplete: 'section-club username' }],
  ])('is shown again if it asks who somebody is: %s %j', async (name, input) => {
    expect(await shows(name, input)).toBe(true)
  })

  it.each([
    ['password', { type: 'password' }],
    ['username', { type: 'password' }],
    ['email', { type: 'password', autocomplete: 'email' }],
    ['code', {}],
    ['secretAnswer', { type: 'text' }],
    ['passphrase', {}],
    ['voucher', { type: 'text' }],
    ['email', { autocomplete: 'off' }],
    ['username', { type: 'hidden' }],
  ])('is empty again if it asks for anything else: %s %j', async (name, input) => {
    expect(await shows(name, input)).toBe(false)
  })

  it('is empty again if what it holds is longer than any address', async () => {
    expect(await shows('email', {}, 'a'.repeat(255))).toBe(false)
  })
})

describe('an alert', () => {
  const mail: EmailConfig = {
    id: 'mail',
    name: 'Mail',
    type: 'email',
    sendVerificationRequest: () => {
      throw new Error('the server for mail is down')
    },
  }
  const pin = refuses('pin', { member: {}, pin: { type: 'password' } })
  const providers = [GitHub({ clientId: 'id', clientSecret: 'secret' }), mail, password, pin]
  const visitorOf = () =>
    createVisitor({ providers, adapter: MemoryAdapter(), session: { strategy: 'jwt' } })

  it.each(['password', 'pin'])('is in the form that was sent: %s', async id => {
    const { page } = await fail(visitorOf(), id, { email: 'ann@example.com', member: '7' })
    expect(formOf(page, id)).toContain('role="alert"')
    expect(page.match(/role="alert"/g)).toHaveLength(1)
  })

  it('is in the form of the email that could not be sent, which keeps the address', async () => {
    const visitor = visitorOf()
    const response = await visitor.post('/signin/mail', { email: 'ann@example.com' })
    const page = await (await visitor.get(response.headers.get('location') ?? '')).text()
    expect(formOf(page, 'mail')).toContain('role="alert"')
    expect(formOf(page, 'mail')).toContain('value="ann@example.com"')
    expect(formOf(page, 'password')).not.toContain('value="ann@example.com"')
  })

  it('is in the only form that it can be about, and else above all of them', async () => {
    const pageAt = async (path: string) => (await visitorOf().get(path)).text()
    expect(formOf(await pageAt('/signin?error=EmailSignInError'), 'mail')).toContain('role="alert"')
    expect(await pageAt('/signin?error=CredentialsSignin')).toMatch(
      /role="alert".*class="providers"/,
    )
    expect(await pageAt('/signin?error=SessionRequired')).toMatch(/role="alert".*class="providers"/)
  })

  it('is what the fields of its form are described by, and they alone are invalid', async () => {
    const { page } = await fail(visitorOf(), 'password', { email: 'ann@example.com' })
    const id = /<div class="error" id="([^"]+)" tabindex="-1" autofocus role="alert">/.exec(
      page,
    )?.[1]
    for (const name of ['email', 'password']) {
      const input = inputOf(formOf(page, 'password'), name)
      expect(input).toContain(`aria-describedby="${id}"`)
      expect(input).toContain('aria-invalid="true"')
    }
    expect(page.match(/aria-invalid/g)).toHaveLength(2)
  })
})
