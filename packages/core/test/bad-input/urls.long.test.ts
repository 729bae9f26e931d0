import { describe, expect, it, vi } from 'vitest'
import {
  CALLBACK_COOKIE,
  CSRF_COOKIE,
  createApplication,
  everybodyIs,
  ORIGIN,
  writtenCookie,
} from '../spec/application.ts'
import { openDoor } from './door.ts'

// Many requests to a test: more time than one has, on a machine with much to do.
vi.setConfig({ testTimeout: 60_000 })

const { application, knock } = openDoor()

async function ownForm(): Promise<{ csrfToken: string; cookie: string }> {
  const visitor = application.visitor()
  const csrfToken = await visitor.csrfToken()
  return { csrfToken, cookie: `${CSRF_COOKIE}=${visitor.cookies.get(CSRF_COOKIE)}` }
}

/** Half a character cannot be percent-encoded; browsers send the one that replaces it. */
function encoded(text: string): string {
  return encodeURIComponent(text.replace(/[\ud800-\udfff]/g, '\ufffd'))
}

describe('A URL to return to that is none', () => {
  const unparsable = [
    '//',
    '///',
    'https://',
    'https:',
    'http://[',
    'http://[::1',
    'https://[zz]',
    'https://a b',
    'https://a%00b',
    'https://app.example.com:99999',
    'https://app.example.com:port',
    'https://app.example.com:-1/',
    'https://%',
    'https://%zz',
    'https://\0',
    'https://exa mple.com',
    'https://ex<script>ample.com',
    'https://.',
    'https://..',
    'https://\ud800.com',
    '\0',
    '%',
    '%00',
    ':',
    '://',
    ':80',
    '?',
    '#',
    'inbox',
    './inbox',
    '..',
    'undefined',
    'null',
    '[object Object]',
    ' ',
    '\t\r\n',
    'x'.repeat(10_000),
    `/${'x'.repeat(10_000)}`,
    `https://app.example.com/${'x'.repeat(10_000)}`,
  ]

  it.each(unparsable.map(url => [url.slice(0, 40), url] as const))(
    'leads home from the query: %j',
    async (_, url) => {
      const query = `callbackUrl=${encoded(url)}`
      for (const path of [
        '/signin',
        '/signout',
        '/verify-request',
        '/error',
        '/session',
        '/csrf',
      ]) {
        const response = await knock(`${path}?${query}`)
        expect(response.status, path).toBe(200)
        const remembered = writtenCookie(response, CALLBACK_COOKIE)?.value ?? ORIGIN
        expect(new URL(remembered).origin, path).toBe(ORIGIN)
      }
      const { csrfToken, cookie } = await ownForm()
      for (const path of ['/signin', '/signin/credentials', '/callback/credentials', '/signout']) {
        const body = new URLSearchParams({ csrfToken })
        const init = { method: 'POST', body, headers: { cookie } }
        expect((await knock(`${path}?${query}`, init)).status, path).toBe(302)
      }
    },
  )

  // Half a character in a body is bad input: `bodies.long.test.ts`.
  const wellFormed = unparsable.filter(url => !/\p{Surrogate}/u.test(url))

  it.each(wellFormed.map(url => [url.slice(0, 40), url] as const))(
    'leads home from the body: %j',
    async (_, callbackUrl) => {
      const { csrfToken, cookie } = await ownForm()
      for (const path of ['/signin', '/signin/credentials', '/callback/credentials', '/signout']) {
        const headers = { cookie, 'content-type': 'application/json' }
        const body = JSON.stringify({ csrfToken, callbackUrl })
        const response = await knock(path, { method: 'POST', body, headers })
        expect(response.status, path).toBe(302)
        if (path === '/signout') expect(response.headers.get('location')).toBe(ORIGIN)
      }
    },
  )

  it.each(unparsable.map(url => [url.slice(0, 40), url] as const))(
    'leads home from the cookie: %j',
    async (_, url) => {
      const own = await ownForm()
      const value = encoded(url)
      const headers = { cookie: `${own.cookie}; ${CALLBACK_COOKIE}=${value}` }
      for (const path of ['/signin', '/signout', '/session']) {
        expect((await knock(path, { headers })).status, path).toBe(200)
      }
      const body = new URLSearchParams({ csrfToken: own.csrfToken })
      const left = await knock('/signout', { method: 'POST', body, headers })
      expect(left.headers.get('location')).toBe(ORIGIN)
    },
  )

  it('leads home whatever the page says that sent the visitor', async () => {
    for (const referer of ['http://[', '%', 'javascript:alert(1)', '//evil.example']) {
      expect((await knock('/signin', { headers: { referer } })).status).toBe(200)
    }
  })

  it('may be given twice: the last counts', async () => {
    const response = await knock('/signin?callbackUrl=https://evil.example&callbackUrl=/inbox')
    expect(writtenCookie(response, CALLBACK_COOKIE)?.value).toBe(`${ORIGIN}/inbox`)
  })
})

describe('An odd path', () => {
  it.each([
    ['/auth/session', 200],
    ['/auth//session', 200],
    ['//auth/session', 404],
    ['/auth/./session', 200],
    ['/auth/x/../session', 200],
    ['/x/../auth/session', 200],
    ['/auth/%2e/session', 200],
    ['/auth/%2E%2E/auth/session', 200],
    ['/auth\\session', 200],
    ['/auth/session/', 200],
    ['/auth/session//', 200],
    ['/auth/session#session', 200],
    ['/auth%2fsession', 404],
    ['/auth/%2fsession', 404],
    ['/auth%5csession', 404],
    ['/auth/session%2f', 404],
    ['/auth/session;x=y', 404],
    ['/auth;x=y/session', 404],
    ['/auth/session%00', 404],
    ['/auth/%00session', 404],
    ['/auth/session%09', 404],
    ['/auth/session%0a', 404],
    ['/auth/session%0d%0aSet-Cookie:%20a=b', 404],
    ['/auth/session%20', 404],
    ['/auth/session%23', 404],
    ['/auth/session%3f', 404],
    ['/auth/%73ession', 404],
    ['/auth/%2573ession', 404],
    ['/auth/%252573ession', 404],
    ['/%61uth/session', 404],
    ['/auth/%', 404],
    ['/auth/session%', 404],
    ['/auth/%zz', 404],
    ['/auth/%E0%A4%A', 404],
    ['/auth/signin/%', 404],
    ['/auth/callback/%E0%A4%A', 404],
    ['/auth/callback/%zz', 404],
    ['/AUTH/session', 404],
    ['/auth/SESSION', 404],
    ['/auth/Session', 404],
    ['/auth/session.', 404],
    ['/auth./session', 404],
    ['/auth/session.css', 404],
    ['/auth/session.json', 404],
    ['/auth/session.rsc', 404],
    ['/auth/session/x.css', 404],
    ['/auth/session/undefined', 404],
    ['/auth/csrf/x.js', 404],
    ['/authsession', 404],
    ['/auth-session', 404],
    ['/authentication/session', 404],
    ['/auth', 404],
    ['/auth/', 404],
    ['/', 404],
    ['/api/auth/session', 404],
    ['/https://evil.example/auth/session', 404],
    ['/auth/https://app.example.com/auth/session', 404],
    ['/auth/__proto__', 404],
    ['/auth/constructor', 404],
    ['/auth/toString', 404],
    [`/auth/${'x'.repeat(10_000)}`, 404],
    [`/auth/callback/${'x'.repeat(10_000)}`, 404],
    [`/auth/${'/'.repeat(10_000)}session`, 200],
    [`/auth${'/session'.repeat(1000)}`, 404],
  ] as const)('%j is answered %i', async (path, status) => {
    const asked = `${ORIGIN}${path}`
    const data = await knock(asked)
    expect(data.status).toBe(status)
    expect(data.headers.get('content-type')).toBe('application/json')
    const shown = await knock(asked, { headers: { accept: 'text/html,*/*;q=0.8' } })
    expect(shown.status).toBe(status)
    if (status === 404) {
      expect(shown.headers.get('content-type')).toContain('text/html')
      expect(await shown.text()).toContain('Not found')
    }
  })

  it('is not taken for another host where the endpoints are at the root', async () => {
    const urls: string[] = []
    const own = createApplication({
      basePath: '/',
      providers: [everybodyIs({ id: '1' })],
      callbacks: {
        redirect({ url, baseUrl }) {
          urls.push(url, baseUrl)
          return baseUrl
        },
      },
    })
    const visitor = own.visitor(ORIGIN)
    for (const path of [
      '//session',
      '//evil.example/session',
      '///csrf',
      '//signin?callbackUrl=/a',
    ]) {
      const response = await visitor.get(path)
      expect(response.status, path).toBe(path.includes('evil') ? 404 : 200)
    }
    expect(urls).toEqual(expect.arrayContaining(['/a', ORIGIN]))
    const listed = (await (await visitor.get('//providers')).json()) as object
    expect(listed).toMatchObject({ credentials: { signinUrl: `${ORIGIN}/signin/credentials` } })
  })
})

describe('A provider that is not configured', () => {
  it.each([
    'github',
    'Credentials',
    '%20credentials',
    'credentials%00',
    'credentials%0d%0a',
    'credentials%2f',
    '__proto__',
    'constructor',
    'toString',
    'null',
    '%3Cscript%3Ealert(1)%3C%2Fscript%3E',
    '%22%20onload=alert(1)',
    '%ed%a0%80',
    '%F0%9F%94%91',
    '..%2f..%2fetc%2fpasswd',
    'x'.repeat(10_000),
  ])('is 404: %j', async id => {
    for (const action of ['signin', 'callback', 'webauthn-options']) {
      for (const method of ['GET', 'POST', 'PUT']) {
        const data = await knock(`/${action}/${id}`, { method })
        expect(data.status, `${method} ${action}`).toBe(404)
        expect(await data.json()).toEqual({ message: 'Not found.' })
        const shown = await knock(`/${action}/${id}`, { method, headers: { accept: 'text/html' } })
        expect(shown.status).toBe(404)
        const page = await shown.text()
        expect(page).not.toContain('<script>alert')
        expect(page).not.toContain('onload=')
      }
    }
  })

  it('is the sign-in page where a client has lost the id', async () => {
    expect((await knock('/signin/undefined')).status).toBe(200)
  })
})

describe('An odd query', () => {
  it.each(
    [
      '%',
      '%zz',
      '%=%',
      'error=%',
      'error=%E0%A4%A',
      'error=%00',
      'error=%0d%0aSet-Cookie:%20evil=1',
      'callbackUrl=%',
      'callbackUrl=%0d%0a',
      'callbackUrl=/%0d%0aSet-Cookie:%20evil=1',
      'callbackUrl=/%250d%250a',
      'callbackUrl[]=/x',
      'callbackUrl[href]=/x',
      'error[]=x&error[toString]=y',
      '__proto__=x&__proto__[error]=y&constructor=z',
      'error=%ed%a0%80',
      'error&callbackUrl&email',
      '&&&===&&',
      '?',
      `error=${'x'.repeat(10_000)}`,
      `${'a=b&'.repeat(10_000)}`,
      `email=${encodeURIComponent('"><script>alert(1)</script>')}`,
      'csrfToken=x&theme=y&providers=z&json=true',
    ].map(query => [query.slice(0, 50), query] as const),
  )('does not keep a page from being shown: %j', async (_, query) => {
    for (const path of ['/signin', '/signout', '/error', '/verify-request']) {
      const response = await knock(`${path}?${query}`)
      expect(response.status, path).toBe(200)
      expect(await response.text(), path).toContain('</html>')
    }
    for (const path of ['/session', '/csrf', '/providers']) {
      const response = await knock(`${path}?${query}`)
      expect(response.status, path).toBe(200)
      await response.json()
    }
  })

  it('does not break a page of the application', async () => {
    const pages = { signIn: '/login', signOut: '/bye', error: '/oops', verifyRequest: '/sent' }
    const own = createApplication({ pages })
    const odd = '\0\r\nSet-Cookie: evil=1 "><script>&=#?%\u{1f511}'
    const query = new URLSearchParams({ error: odd, callbackUrl: `/${odd}`, [odd]: odd })
    for (const [path, page] of [
      ['signin', '/login'],
      ['signout', '/bye'],
      ['error', '/oops'],
      ['verify-request', '/sent'],
    ]) {
      const response = await own.handle(new Request(`${ORIGIN}/auth/${path}?${query}`))
      expect(response.status, path).toBe(302)
      const to = new URL(response.headers.get('location') ?? '')
      expect(to.origin + to.pathname, path).toBe(ORIGIN + page)
      if (path !== 'signout') expect(to.searchParams.get('error'), path).toBe(odd)
    }
  })
})

describe('Odd headers', () => {
  const long = 'x'.repeat(10_000)

  it.each([
    ['accept', long],
    ['accept', '\u001b[2Jtext/html'],
    ['origin', 'null'],
    ['origin', long],
    ['origin', 'https://['],
    ['origin', '\u001b[2J'],
    ['sec-fetch-site', long],
    ['x-forwarded-proto', long],
    ['x-forwarded-proto', '%0d%0a'],
    ['x-auth-return-redirect', ''],
    ['x-auth-return-redirect', long],
    ['authorization', 'Bearer %'],
    ['authorization', `Bearer ${long}`],
    ['content-length', '-1'],
    ['content-length', '99999999999999999999'],
    ['transfer-encoding', 'chunked, identity'],
    ['content-type', '\u001b'],
    ['content-type', long],
    ['referer', long],
    ['user-agent', long],
  ])('are put up with: %s: %j', async (name, value) => {
    const { csrfToken, cookie } = await ownForm()
    const headers = { [name]: value.slice(0, 10_000) }
    for (const path of ['/session', '/signin', '/csrf', '/error', '/nothing']) {
      const response = await knock(path, { headers })
      expect([200, 404], path).toContain(response.status)
    }
    for (const path of ['/session', '/signin', '/callback/credentials', '/signout']) {
      const body = new URLSearchParams({ csrfToken }).toString()
      const typed = { 'content-type': 'application/x-www-form-urlencoded', cookie, ...headers }
      const response = await knock(path, { method: 'POST', body, headers: typed })
      expect([200, 302, 400], path).toContain(response.status)
    }
  })
})
