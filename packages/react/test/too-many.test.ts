import { createAuthClient } from '@siteauth/react'
import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => vi.unstubAllGlobals())

it('says after too many attempts when to try again', async () => {
  const page = 'https://example.com/login'
  vi.stubGlobal('location', new URL(page))
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('fetch', async (asked: string | URL) => {
    const path = new URL(asked, page).pathname
    if (path.endsWith('/csrf')) return Response.json({ csrfToken: 'token' })
    if (path.endsWith('/providers')) {
      return Response.json({ credentials: { id: 'credentials', type: 'credentials' } })
    }
    const url = 'https://example.com/auth/signin?error=TooManyAttempts&code=180'
    return Response.json({ url }, { status: 429, headers: { 'retry-after': '180' } })
  })
  const { signIn } = createAuthClient({ basePath: '/auth' })
  expect(await signIn('credentials', { redirect: false })).toMatchObject({
    ok: false,
    error: 'TooManyAttempts',
    status: 429,
    code: '180',
    url: null,
  })
})
