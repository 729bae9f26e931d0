import { createAuthClient } from '@siteauth/react'
import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => vi.unstubAllGlobals())

/** A page whose server answers a form by sending scripts there. Answers what was posted. */
function openPage(
  url: string,
  status: number,
): { readonly posted: [path: string, body: string][] } {
  const page = 'https://example.com/login'
  const posted: [string, string][] = []
  vi.stubGlobal('location', new URL(page))
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('fetch', async (asked: string | URL, init?: RequestInit) => {
    const path = new URL(asked, page).pathname
    if (path.endsWith('/csrf')) return Response.json({ csrfToken: 'token' })
    if (path.endsWith('/providers')) {
      return Response.json({
        credentials: { id: 'credentials', type: 'credentials' },
        mail: { id: 'mail', type: 'email' },
      })
    }
    posted.push([path, String(init?.body)])
    return Response.json({ url: `https://example.com${url}` }, { status })
  })
  return { posted }
}

const { signIn } = createAuthClient({ basePath: '/auth' })

it('says after too many attempts when to try again', async () => {
  openPage('/auth/signin?error=TooManyAttempts&code=180', 429)
  expect(await signIn('credentials', { redirect: false })).toMatchObject({
    ok: false,
    error: 'TooManyAttempts',
    status: 429,
    code: '180',
    url: null,
  })
})

it('sends a code from an email, and says what is wrong with it', async () => {
  const { posted } = openPage('/auth/verify-request?error=EmailCodeError&code=wrong_code', 200)
  expect(await signIn('mail', { code: 'WDJB-MJHT', redirect: false })).toMatchObject({
    ok: false,
    error: 'EmailCodeError',
    status: 401,
    code: 'wrong_code',
  })
  expect(posted[0]?.[0]).toBe('/auth/signin/mail')
  expect(posted[0]?.[1]).toContain('code=WDJB-MJHT')
})
