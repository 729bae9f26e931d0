import type { AuthConfig } from '@siteauth/core'
import { describe, expect, it } from 'vitest'
import { createApplication, ORIGIN } from '../spec/application.ts'
import { createTestAuth, warningsOf } from '../visitor.ts'

const HOSTS = [
  '',
  '/',
  'a b',
  '[::1',
  '::1]',
  'x:99999',
  'x:-1',
  'x:port',
  '%00',
  'a@b',
  'app.example.com@evil.example',
  'evil.example:fake@app.example.com',
  'app.example.com/path?',
  'app.example.com#x',
  'app.example.com?x',
  'app.example.com\\x',
  'evil.example/app.example.com',
  'app.example.com, evil.example',
  'evil.example, app.example.com',
  'evil.example,,,',
  ', ,',
  'evil.example',
  'EVIL.EXAMPLE',
  'app.example.com.evil.example',
  'evilapp.example.com',
  'app.example.com.',
  '.app.example.com',
  'app..example.com',
  '*.example.com',
  '-',
  'javascript:alert(1)',
  'https://evil.example',
  '//evil.example',
  '"evil.example"',
  "'evil.example'",
  '<script>',
  'xn--',
  '0x7f000001',
  'x'.repeat(300),
  `${'x.'.repeat(200)}example`,
]

/** Those of which the `Host` header may be one. A request with another gets 400, whatever is configured. */
const WELL_FORMED = new Set([
  'evil.example',
  'EVIL.EXAMPLE',
  'app.example.com.evil.example',
  'evilapp.example.com',
  'app.example.com.',
  'app..example.com',
  '0x7f000001',
])

const HEADERS = ['host', 'x-forwarded-host', 'x-original-host', 'x-host', 'forwarded'] as const

const PROTOCOLS = ['javascript', 'https:evil.example/?', 'http, https', 'HTTPS', '', 'ftp', 'file:']

/** The URL of the sign-in endpoint, as an application would tell a visitor; null where it refuses. */
async function toldUrl(
  headers: Record<string, string>,
  config: Partial<AuthConfig>,
  env: Record<string, string> = {},
): Promise<string | null> {
  const application = createApplication(config, env)
  const request = new Request('http://10.0.0.7:3000/auth/providers', { headers })
  const response = await application.handle(request)
  if (response.status === 400) return null
  expect(response.status).toBe(200)
  const listed = (await response.json()) as { credentials: { signinUrl: string } }
  return listed.credentials.signinUrl
}

function headerFor(name: (typeof HEADERS)[number], host: string): Record<string, string> {
  return { [name]: name === 'forwarded' ? `for=1.2.3.4;host=${host};proto=https` : host }
}

describe.each(HEADERS)('In the header %s', name => {
  it.each(HOSTS)('%j changes nothing if AUTH_URL is set, or gets 400', async host => {
    const isRejected = name === 'host' && !WELL_FORMED.has(host)
    for (const trustHost of [true, false, ['evil.example']]) {
      const headers = { ...headerFor(name, host), 'x-forwarded-proto': 'http' }
      const url = await toldUrl(headers, { trustHost }, { AUTH_URL: ORIGIN })
      expect(url).toBe(isRejected ? null : `${ORIGIN}/auth/signin/credentials`)
    }
  })

  it.each(HOSTS)('%j leads to no host but those that are listed', async host => {
    const headers = { host: 'app.example.com', ...headerFor(name, host) }
    const url = await toldUrl(headers, { trustHost: ['app.example.com'] })
    if (url !== null) expect(new URL(url).host).toBe('app.example.com')
  })

  it.each(HOSTS)('%j is a host or refused where every host is trusted', async host => {
    const url = await toldUrl(headerFor(name, host), { trustHost: true })
    if (url === null) return
    const { hostname, username, password, pathname, search, hash } = new URL(url)
    expect(hostname).toMatch(/^(\[[0-9a-f:.]+\]|[a-z0-9]([a-z0-9._-]*[a-z0-9])?)$/)
    expect([username, password, search, hash]).toEqual(['', '', '', ''])
    expect(pathname).toBe('/auth/signin/credentials')
    expect(url).toBe(`${new URL(url).origin}/auth/signin/credentials`)
  })
})

describe('The protocol', () => {
  it.each(PROTOCOLS)('%j makes http or https of a URL, and nothing else', async protocol => {
    const headers = { host: 'app.example.com', 'x-forwarded-proto': protocol }
    const url = await toldUrl(headers, { trustHost: true })
    expect(url).toMatch(/^https?:\/\/app\.example\.com\/auth\/signin\/credentials$/)
    const known = await toldUrl(headers, { trustHost: true }, { AUTH_URL: ORIGIN })
    expect(known).toBe(`${ORIGIN}/auth/signin/credentials`)
  })

  it.each(['https, http', 'http, https', 'HTTP,HTTPS', 'http,ws,https:'])(
    'of the list %j is https',
    async list => {
      const headers = { host: 'app.example.com', 'x-forwarded-proto': list }
      expect(await toldUrl(headers, { trustHost: true })).toMatch(/^https:/)
    },
  )

  it.each(['x-forwarded-port', 'x-forwarded-prefix', 'x-forwarded-uri', 'x-original-url'])(
    'and the host are not changed by %s',
    async name => {
      for (const value of ['8443', '/evil', '//evil.example', 'javascript:alert(1)']) {
        const headers = { host: 'app.example.com', [name]: value }
        const url = await toldUrl(headers, { trustHost: true })
        expect(url).toBe('http://app.example.com/auth/signin/credentials')
      }
    },
  )
})

describe('Trust in any host', () => {
  it.each([
    [{ trustHost: true }, { NODE_ENV: 'production' }, true],
    [{}, { NODE_ENV: 'production', AUTH_TRUST_HOST: 'true' }, true],
    [{}, { NODE_ENV: 'production', AUTH_TRUST_HOST: 'true', AUTH_URL: ORIGIN }, false],
    [{ trustHost: ['app.example.com'] }, { NODE_ENV: 'production' }, false],
    [{}, { NODE_ENV: 'production', VERCEL: '1' }, false],
    [{ trustHost: true }, {}, false],
  ])('is warned of in production: %j, %j: %j', async (config, env, isWarned) => {
    const warnings = await warningsOf(createTestAuth(config, env))
    expect(warnings.includes('any-host-trusted')).toBe(isWarned)
  })
})

describe('The host of the nearest proxy', () => {
  it('counts, whatever the visitor put before it', async () => {
    const headers = { 'x-forwarded-host': 'evil.example, app.example.com' }
    const url = await toldUrl(headers, { trustHost: true })
    expect(url).toBe('http://app.example.com/auth/signin/credentials')
  })

  it('counts if the header came twice', async () => {
    const headers = new Headers()
    headers.append('x-forwarded-host', 'evil.example')
    headers.append('x-forwarded-host', 'app.example.com')
    const url = await toldUrl(Object.fromEntries(headers), { trustHost: true })
    expect(url).toBe('http://app.example.com/auth/signin/credentials')
  })
})

describe('A host that is not trusted', () => {
  it.each(['/session', '/csrf', '/signin', '/signout', '/error', '/verify-request'])(
    'is refused by GET %s without being told back',
    async path => {
      const application = createApplication({ trustHost: ['app.example.com'] })
      const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
      const url = `http://10.0.0.7:3000/auth${path}`
      const response = await application.handle(new Request(url, { headers }))
      expect(response.status).toBe(400)
      expect(await response.text()).not.toContain('evil.example')
      expect(response.headers.getSetCookie()).toEqual([])
    },
  )

  it.each(['/session', '/signin', '/signout', '/callback/credentials'])(
    'is refused by POST %s',
    async path => {
      const application = createApplication({ trustHost: ['app.example.com'] })
      const init = { method: 'POST', headers: { host: 'evil.example' } }
      const response = await application.handle(new Request(`http://10.0.0.7/auth${path}`, init))
      expect(response.status).toBe(400)
      expect(response.headers.has('location')).toBe(false)
    },
  )

  it('leads nowhere from a page that says so', async () => {
    const application = createApplication({ trustHost: ['app.example.com'] })
    const headers = { host: 'evil.example', accept: 'text/html' }
    const response = await application.handle(
      new Request('http://10.0.0.7/auth/signin', { headers }),
    )
    expect(response.status).toBe(400)
    expect(await response.text()).not.toContain('evil.example')
  })

  it('does not decide which cookies are set where AUTH_URL is known', async () => {
    const application = createApplication({}, { AUTH_URL: ORIGIN })
    const headers = { host: 'evil.example', 'x-forwarded-proto': 'http' }
    const request = new Request('http://10.0.0.7/auth/csrf', { headers })
    const [cookie = ''] = (await application.handle(request)).headers.getSetCookie()
    expect(cookie).toMatch(/^__Host-.*; Secure/)
  })
})
