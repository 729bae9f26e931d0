import { createAuth } from '@siteauth/core'
import Credentials from '@siteauth/core/providers/credentials'
import { createAuthClient, signIn, signOut } from '@siteauth/sveltekit/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

const auth = createAuth({
  secret: 'a test secret that is long enough!',
  trustHost: true,
  basePath: '/auth',
  logger: { error() {}, warn() {}, debug() {} },
  providers: [
    Credentials({
      credentials: { name: {} },
      authorize: ({ name }) => (name === 'Ada' ? { id: '1', name } : null),
    }),
  ],
})
const HERE = 'http://localhost/here'
const cookies = new Map<string, string>()
let page: { href: string }

/** A browser, as far as the functions use one: it keeps cookies, and says where it went. */
beforeEach(() => {
  cookies.clear()
  page = { href: HERE }
  vi.stubGlobal('location', page)
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    const request = new Request(new URL(path, HERE), init)
    request.headers.set('cookie', [...cookies].map(pair => pair.join('=')).join('; '))
    const response = await auth.handle(request)
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value) cookies.set(name, value)
      else cookies.delete(name)
    }
    return response
  })
})
afterEach(() => void vi.unstubAllGlobals())

it('signs in, and goes where the page says', async () => {
  await signIn('credentials', { name: 'Ada', redirectTo: '/account' })
  expect(page.href).toBe('http://localhost/account')
  expect([...cookies.keys()]).toContain('authjs.session-token')
})

it('says what went wrong to a page that stays', async () => {
  const outcome = await signIn('credentials', { name: 'Eve', redirect: false })
  expect(outcome).toMatchObject({ ok: false, error: 'CredentialsSignin', status: 401, url: null })
  expect(page.href).toBe(HERE)
})

it('knows that there is no such provider, whatever it is called', async () => {
  for (const name of ['nobody', 'constructor']) {
    expect(await signIn(name, { redirect: false })).toMatchObject({ error: 'InvalidProvider' })
  }
})

it('leads to the sign-in page if no provider is named', async () => {
  await createAuthClient({ basePath: '/shop/auth/' }).signIn()
  expect(page.href).toBe(`/shop/auth/signin?callbackUrl=${encodeURIComponent(HERE)}`)
})

it('signs out', async () => {
  await signIn('credentials', { name: 'Ada', redirect: false })
  await signOut({ redirectTo: '/' })
  expect([...cookies.keys()]).not.toContain('authjs.session-token')
  expect(page.href).toBe('http://localhost/')
})

it('runs no script that an endpoint seems to send it to', async () => {
  vi.stubGlobal('fetch', async () =>
    Response.json({ csrfToken: 'x', url: 'javascript:alert(1)', me: { id: 'me', type: 'oauth' } }),
  )
  await expect(signIn('me')).rejects.toThrow('Configuration')
  expect(page.href).toBe(HERE)
})
