import type { Callbacks } from '@siteauth/core/types'
import { describe, expect, it, vi } from 'vitest'
import {
  ANN,
  CALLBACK_COOKIE,
  createApplication,
  ORIGIN,
  PASSWORD,
  signedIn,
  signIn,
  writtenCookie,
} from '../spec/application.ts'

// Many requests to a test: more time than one has, on a machine with much to do.
vi.setConfig({ testTimeout: 60_000 })

/** What has led visitors astray elsewhere. */
const REDIR_SET = [
  '//evil.com',
  '///evil.com',
  '/////evil.com',
  '/\\evil.com',
  '\\\\evil.com',
  '\\/evil.com',
  '/\\/evil.com',
  '\\evil.com',
  'https://evil.com',
  'HTTPS://evil.com',
  'https:evil.com',
  'https:/evil.com',
  'https:\\\\evil.com',
  'https:///evil.com',
  'https://app.example.com.evil.com',
  'https://app.example.com@evil.com',
  'https://app.example.com:x@evil.com',
  'https://evil.com#@app.example.com',
  'https://evil.com?x=app.example.com',
  'https://evil.com/https://app.example.com',
  'https://evil.com\\@app.example.com',
  'https://app.example.com\\@evil.com',
  'https://app.example.com%2f@evil.com',
  'https://app.example.com%00.evil.com',
  'https://app.example.com\u3002evil.com',
  '@evil.com',
  '.evil.com',
  ':8443@evil.com',
  '/%09/evil.com',
  '/\t/evil.com',
  '/\n/evil.com',
  '/\r/evil.com',
  '\t//evil.com',
  '\n//evil.com',
  ' //evil.com',
  '\u00a0//evil.com',
  '\u0000//evil.com',
  'ht\ntps://evil.com',
  '%2f%2fevil.com',
  '/%2fevil.com',
  '/%5cevil.com',
  '/..//evil.com',
  '/.//evil.com',
  '/x/..//evil.com',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  '\tjavascript:alert(1)',
  'java\nscript:alert(1)',
  'javascript://app.example.com/%0aalert(1)',
  'data:text/html,x',
  'vbscript:msgbox(1)',
  'blob:https://app.example.com/x',
  'file:///etc/passwd',
  'about:blank',
  'view-source:https://app.example.com',
  'mailto:x@evil.com',
  'intent://evil.com#Intent;end',
  'http://app.example.com',
  'https://app.example.com:444',
  'https://www.app.example.com',
  'https://example.com',
  'https://\u0430pp.example.com',
  'https://app.example.com.',
  '//app.example.com@evil.com',
  '',
  'http://[',
  'x'.repeat(10_000),
  `//${'x'.repeat(10_000)}.evil.com`,
]

/** Where an honest visitor wants to go. */
const HONEST: [asked: string, answered: string][] = [
  ['/', `${ORIGIN}/`],
  ['/a?b=c#d', `${ORIGIN}/a?b=c#d`],
  [`${ORIGIN}/x`, `${ORIGIN}/x`],
  [`${ORIGIN}:443/x`, `${ORIGIN}/x`],
  ['/search?url=https://evil.com', `${ORIGIN}/search?url=https://evil.com`],
  ['/ä', `${ORIGIN}/%C3%A4`],
]

function expectSafe(url: string | null | undefined, what = ''): void {
  expect(url, what).toMatch(/^https:\/\/app\.example\.com(\/|\?|#|$)/)
  expect(new URL(url ?? '', ORIGIN).origin, what).toBe(ORIGIN)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop these, and see another URL
  expect(url, what).not.toMatch(/[\u0000-\u0020\\]/)
}

/** The cookie that remembers the wish, where there is one. */
function expectSafeCookie(response: Response, what = ''): void {
  const cookie = writtenCookie(response, CALLBACK_COOKIE)
  if (cookie && cookie.attributes['max-age'] !== '0') expectSafe(cookie.value, what)
}

/** The URL that the form of a page carries. */
async function expectSafeForm(response: Response, what = ''): Promise<void> {
  const html = await response.text()
  const [, value] = /name="callbackUrl" value="([^"]*)"/.exec(html) ?? []
  expectSafe(value?.replaceAll('&amp;', '&'), what)
}

const application = createApplication()
const withPage = createApplication({ pages: { signIn: '/login' } })

const labelled = REDIR_SET.map(url => [JSON.stringify(url).slice(0, 60), url] as const)

describe.each(labelled)('A wish to go to %s', (_, wish) => {
  const query = `?${new URLSearchParams({ callbackUrl: wish })}`
  const planted = `${CALLBACK_COOKIE}=${encodeURIComponent(wish)}`

  it('is not granted on the way to the sign-in and sign-out pages', async () => {
    for (const path of ['/signin', '/signout']) {
      const response = await application.visitor().get(path + query)
      expectSafeCookie(response, path)
      await expectSafeForm(response, path)
      const again = await application.visitor().get(path, { cookie: planted })
      expectSafeCookie(again, path)
      await expectSafeForm(again, path)
    }
  })

  it('is not passed on to a page of the application', async () => {
    for (const [path, headers] of [
      [`/signin${query}`, {}],
      ['/signin', { cookie: planted }],
    ] as const) {
      const response = await withPage.visitor().get(path, headers)
      const location = response.headers.get('location')
      expectSafe(location)
      expectSafe(new URL(location ?? '').searchParams.get('callbackUrl') ?? ORIGIN)
      expectSafeCookie(response)
    }
  })

  it.each(['/signin', '/signin/credentials', '/callback/credentials', '/signout'])(
    'is not granted by POST %s, from query, body or cookie',
    async path => {
      for (const outcome of ['success', 'failure']) {
        const password = outcome === 'success' ? PASSWORD : 'wrong'
        const fields = { username: 'Ann', password }
        const asked = await application.visitor().post(path + query, fields)
        expectSafe(asked.headers.get('location'), outcome)
        expectSafeCookie(asked, outcome)

        const sent = await application.visitor().post(path, { ...fields, callbackUrl: wish })
        expectSafe(sent.headers.get('location'), outcome)
        expectSafeCookie(sent, outcome)

        const visitor = application.visitor()
        visitor.cookies.set(CALLBACK_COOKIE, encodeURIComponent(wish))
        const remembered = await visitor.post(path, fields)
        expectSafe(remembered.headers.get('location'), outcome)
        expectSafeCookie(remembered, outcome)
      }
    },
  )

  it('is not granted to a script', async () => {
    const headers = { 'x-auth-return-redirect': '1' }
    const visitor = await signedIn(application)
    const response = await visitor.post('/signout', { callbackUrl: wish }, headers)
    const { url } = (await response.json()) as { url: string }
    expectSafe(url)
  })

  it('is not granted by a JSON body', async () => {
    const visitor = application.visitor()
    const fields = { username: 'Ann', password: PASSWORD, callbackUrl: wish }
    const response = await visitor.postJson('/callback/credentials', fields)
    expectSafe(response.headers.get('location'))
  })

  it('is not granted on plain http either', async () => {
    const visitor = application.visitor('http://app.example.com/auth')
    const response = await visitor.post('/signout', { callbackUrl: wish })
    const location = response.headers.get('location') ?? ''
    expect(new URL(location).origin).toBe('http://app.example.com')
  })
})

describe('An honest wish', () => {
  it.each(HONEST)('is granted: %s', async (asked, answered) => {
    const sent = await signIn(application.visitor(), ANN, { callbackUrl: asked })
    expect(sent.headers.get('location')).toBe(answered)
    const visitor = application.visitor()
    await visitor.get(`/signin?${new URLSearchParams({ callbackUrl: asked })}`)
    expect((await signIn(visitor)).headers.get('location')).toBe(answered)
    const left = await visitor.post('/signout', { callbackUrl: asked })
    expect(left.headers.get('location')).toBe(answered)
  })
})

describe('An application that grants too much', () => {
  const running = [
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    ' javascript:alert(1)',
    '\tjava\nscript:alert(1)',
    'javascript://app.example.com/%0aalert(1)',
    'data:text/html,<script>alert(1)</script>',
    'data:text/html;base64,PHNjcmlwdD4=',
    'vbscript:msgbox(1)',
    'blob:https://app.example.com/1',
    'file:///etc/passwd',
    'about:blank',
    'view-source:https://app.example.com',
  ]

  it.each(running)('by its redirect callback sends nobody to %j', async url => {
    const application = createApplication({ callbacks: { redirect: () => url } })
    const visitor = application.visitor()
    const page = await visitor.get('/signin?callbackUrl=/a')
    expectSafeCookie(page)
    await expectSafeForm(page)
    const entered = await signIn(visitor, ANN, { callbackUrl: '/a' })
    expect(entered.headers.get('location')).toBe(ORIGIN)
    const left = await visitor.post('/signout', { callbackUrl: '/a' })
    expect(left.headers.get('location')).toBe(ORIGIN)
  })

  it.each(running)('by handing the wish %j through sends nobody there', async url => {
    const redirect: Callbacks['redirect'] = ({ url }) => url
    const visitor = createApplication({ callbacks: { redirect } }).visitor()
    const response = await signIn(visitor, ANN, { callbackUrl: url })
    expect(response.headers.get('location')).toBe(ORIGIN)
  })

  const astray = [
    '//evil.com',
    '///evil.com',
    '/\\evil.com',
    '\\\\evil.com',
    '\\/evil.com',
    '/\t/evil.com',
    '\t//evil.com',
    ' //evil.com',
    ' https://evil.com',
    '\nhttps://evil.com',
    '\0https://evil.com',
    '\u0001https://evil.com',
    '\x1f\\\\evil.com',
  ]

  it.each(astray)('by letting the path %j through sends nobody elsewhere', async url => {
    const application = createApplication({ callbacks: { redirect: () => url } })
    const visitor = application.visitor()
    const entered = await signIn(visitor, ANN, { callbackUrl: '/a' })
    expect(new URL(entered.headers.get('location') ?? '').origin).toBe(ORIGIN)
    const left = await visitor.post('/signout', { callbackUrl: '/a' })
    expect(new URL(left.headers.get('location') ?? '').origin).toBe(ORIGIN)
  })

  it('by the usual check for paths sends nobody elsewhere', async () => {
    const redirect: Callbacks['redirect'] = ({ url, baseUrl }) =>
      url.startsWith('/') ? url : baseUrl
    for (const callbackUrl of ['//evil.com', '/\\evil.com', '/\t/evil.com']) {
      const visitor = createApplication({ callbacks: { redirect } }).visitor()
      expect((await signIn(visitor, ANN, { callbackUrl })).headers.get('location')).toBe(ORIGIN)
    }
  })

  it.each(['redirect', 'signIn'] as const)('by its %s callback names no user', async name => {
    for (const [url, to] of [
      ['https://user:pw@other.test/x', 'https://other.test/x'],
      ['https://app.example.com@other.test', 'https://other.test/'],
      [`https://user@${new URL(ORIGIN).host}/x`, `${ORIGIN}/x`],
      ['my-app://user:pw@host/x', 'my-app://host/x'],
    ]) {
      const application = createApplication({ callbacks: { [name]: () => url } })
      const response = await signIn(application.visitor(), ANN, { callbackUrl: '/a' })
      expect(response.headers.get('location')).toBe(to)
    }
  })

  it.each(running)('by its signIn callback sends nobody to %j', async url => {
    const application = createApplication({ callbacks: { signIn: () => url } })
    const visitor = application.visitor()
    const response = await signIn(visitor)
    expect(response.headers.get('location')).toBe(`${ORIGIN}/auth/error?error=Configuration`)
    expect(await visitor.session()).toBeNull()
  })

  it.each(['/ok\r\nSet-Cookie: evil=1', '/ok\nx', '/ok\0x', '/ok\u2028x', '/ok x', '/ok\\x'])(
    'by a redirect with controls, %j, writes one header',
    async url => {
      for (const callbacks of [{ redirect: () => url }, { signIn: () => url }]) {
        const visitor = createApplication({ callbacks }).visitor()
        const response = await signIn(visitor, ANN, { callbackUrl: '/a' })
        expectSafe(response.headers.get('location'))
        expect(visitor.cookies.has('evil')).toBe(false)
      }
    },
  )
})
