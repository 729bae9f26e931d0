import { createAuthClient } from '@siteauth/react'
import { createPasswordsClient } from '@siteauth/react/passwords'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => vi.unstubAllGlobals())

/** A page whose server answers every form by sending scripts there. Answers what was posted. */
function openPage(url: string) {
  const page = 'https://example.com/account'
  const posted: [path: string, fields: Record<string, string>][] = []
  vi.stubGlobal('location', new URL(page))
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('fetch', async (asked: string | URL, init?: RequestInit) => {
    const path = new URL(asked, page).pathname
    if (path.endsWith('/csrf')) return Response.json({ csrfToken: 'token' })
    if (path.endsWith('/providers')) {
      return Response.json({ password: { id: 'password', type: 'password' } })
    }
    posted.push([path, Object.fromEntries(new URLSearchParams(String(init?.body)))])
    return Response.json({ url: `https://example.com${url}` })
  })
  return posted
}

const { passwords, usePassword } = createPasswordsClient({ basePath: '/auth' })

it('sends each form to its endpoint', async () => {
  const posted = openPage('/account')
  const ok = { ok: true, error: undefined, url: 'https://example.com/account' }
  const chosen = { email: 'ann@example.com', token: 'abc', password: 'new' }
  expect(await passwords.sendLink({ purpose: 'reset', email: 'ann@example.com' })).toMatchObject(ok)
  expect(await passwords.choose(chosen)).toMatchObject(ok)
  expect(await passwords.change({ currentPassword: 'old', newPassword: 'new' })).toMatchObject(ok)
  expect(await passwords.remove({ currentPassword: 'old' })).toMatchObject(ok)
  const rest = { csrfToken: 'token', callbackUrl: 'https://example.com/account' }
  expect(posted).toEqual([
    ['/auth/password/forgot', { email: 'ann@example.com', ...rest }],
    ['/auth/callback/password', { ...chosen, ...rest }],
    ['/auth/password', { currentPassword: 'old', newPassword: 'new', ...rest }],
    ['/auth/password/remove', { currentPassword: 'old', ...rest }],
  ])
})

it('says why a password is not taken', async () => {
  openPage('/auth/password?error=PasswordRefused&code=wrong_password')
  expect(await passwords.change({ currentPassword: 'old', newPassword: 'new' })).toMatchObject({
    ok: false,
    error: 'PasswordRefused',
    code: 'wrong_password',
    url: null,
  })
})

it('signs in with a password', async () => {
  const posted = openPage('/account')
  const { signIn } = createAuthClient({ basePath: '/auth' })
  await signIn('password', { email: 'ann@example.com', password: 'secret', redirect: false })
  expect(posted[0]?.[0]).toBe('/auth/signin/password')
})

it('has nothing to tell before a form is sent', () => {
  function Form() {
    const { isPending, outcome } = usePassword()
    return createElement('p', null, JSON.stringify({ isPending, outcome }))
  }
  expect(renderToString(createElement(Form))).toContain('&quot;outcome&quot;:null')
})
