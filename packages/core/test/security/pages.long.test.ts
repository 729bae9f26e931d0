import { createHash } from 'node:crypto'
import Credentials from '@siteauth/core/providers/credentials'
import { describe, expect, it, vi } from 'vitest'
import { createApplication, ORIGIN } from '../spec/application.ts'

// Many requests to a test: more time than one has, on a machine with much to do.
vi.setConfig({ testTimeout: 60_000 })

const PAYLOADS = [
  '<script>alert(1)</script>',
  '"onx=alert(1) x="',
  "'onx=alert(1) x='",
  '</title><script>alert(1)</script>',
  '</style><script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  'javascript:alert(1)',
  'x\r\nSet-Cookie: evil=1\r\n\r\n<script>',
  '%3Cscript%3Ealert(1)%3C/script%3E',
  '%253Cscript%253E',
  '&lt;script&gt;',
  '{{constructor.constructor("alert(1)")()}}',
  '\u202e<script>',
  '<script>'.repeat(2_500),
]

const PARAMETERS = [
  'error',
  'error_description',
  'error_uri',
  'code',
  'provider',
  'type',
  'callbackUrl',
  'csrfToken',
  'email',
  'theme',
  'providers',
]

const PAGES = ['/signin', '/signout', '/error', '/verify-request']

/** The one script that a page may have. */
const OWN_SCRIPT = /<script src="\/auth\/assets\/page\.[0-9a-f]{16}\.js" defer><\/script>/

/** A mark or an icon: it can draw, and nothing else. */
const OWN_DRAWING =
  /<svg class="[a-z -]*" viewBox="0 0 24 24" aria-hidden="true">(?:<path[^<>]*>|<rect[^<>]*>|<text[^<>]*>[^<>]*<\/text>)*<\/svg>/g

/** Every address on a page besides. */
function linksOf(html: string): string[] {
  return [...html.replace(OWN_SCRIPT, '').matchAll(/\b(?:href|src|action)="([^"]*)"/g)].flatMap(
    ([, url]) => url ?? [],
  )
}

function expectHarmless(page: string): void {
  const html = page.replace(OWN_SCRIPT, '').replaceAll(OWN_DRAWING, '')
  expect(html).not.toMatch(/<script|<img|<iframe|<svg/i)
  for (const [tag] of html.matchAll(/<[a-z](?:"[^"]*"|[^">])*>/gi)) {
    const names = tag.replace(/"[^"]*"/g, '')
    expect(names).not.toMatch(/\son\w+=|'/i)
  }
  expect(html.match(/<\/title>/g)).toHaveLength(1)
  expect(html.match(/<\/style>/g)).toHaveLength(1)
  for (const link of linksOf(html)) expect(link).toMatch(/^https:\/\/app\.example\.com(\/|$)/)
}

function expectGuarded(response: Response, html: string): void {
  const policy = response.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("base-uri 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toContain('unsafe')
  const [, css = ''] = /<style>([^<]*)<\/style>/.exec(html) ?? []
  const hash = createHash('sha256').update(css).digest('base64')
  expect(policy).toContain(`style-src 'sha256-${hash}'`)
  expect(response.headers.get('x-frame-options')).toBe('DENY')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('referrer-policy')).toBe('same-origin')
}

describe.each(PAGES)('The page %s', page => {
  it.each(PAYLOADS.map(each => [each.slice(0, 40), each] as const))(
    'escapes what is in its query: %j',
    async (_, payload) => {
      const application = createApplication()
      for (const name of PARAMETERS) {
        const query = new URLSearchParams({ [name]: payload, [payload.slice(0, 100)]: payload })
        const response = await application.visitor().get(`${page}?${query}`)
        const html = await response.text()
        expect(response.status, name).toBe(200)
        expectHarmless(html)
        expectGuarded(response, html)
        for (const [, value] of response.headers) expect(value).not.toContain(payload)
      }
    },
  )

  it('is not shown in a frame, loads nothing, and is kept by nobody', async () => {
    const response = await createApplication().visitor().get(page)
    expectGuarded(response, await response.text())
    expect(response.headers.get('cache-control')).toContain('no-store')
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  })

  it('lets a visitor override neither its token nor its providers', async () => {
    const visitor = createApplication().visitor()
    const csrfToken = await visitor.csrfToken()
    const html = await (await visitor.get(`${page}?csrfToken=planted&providers=x&theme=y`)).text()
    expect(html).not.toContain('planted')
    if (html.includes('csrfToken')) expect(html).toContain(`value="${csrfToken}"`)
  })
})

describe('The pages for what went wrong', () => {
  it.each(PAYLOADS.map(each => [each.slice(0, 40), each] as const))(
    'escape what the request said: %j',
    async (_, payload) => {
      const application = createApplication()
      const headers = { accept: 'text/html' }
      const encoded = encodeURIComponent(payload.slice(0, 2000))
      for (const path of [`/${encoded}`, `/callback/${encoded}`, `/signin/${encoded}`]) {
        const response = await application.visitor().get(path, headers)
        expect(response.status).toBe(404)
        const html = await response.text()
        expectHarmless(html)
        expectGuarded(response, html)
      }
      const query = new URLSearchParams({ error: payload, callbackUrl: payload })
      const callback = await application.visitor().get(`/callback/credentials?${query}`, headers)
      expect(callback.status).toBe(405)
      expectHarmless(await callback.text())
    },
  )

  it('are the same for the names of parts of every object', async () => {
    for (const error of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      for (const page of ['/error', '/signin']) {
        const response = await createApplication().visitor().get(`${page}?error=${error}`)
        expect(response.status).toBe(200)
        expect(await response.text()).not.toContain('function')
      }
    }
  })

  it.each([
    ['Configuration', 500],
    ['AccessDenied', 403],
    ['Verification', 403],
    ['anything', 200],
    ['', 200],
  ])('have a status of their own: %s is %i', async (error, status) => {
    const response = await createApplication().visitor().get(`/error?error=${error}`)
    expect(response.status).toBe(status)
    expectGuarded(response, await response.text())
  })

  it('never show what is wrong inside, except to developers', async () => {
    const broken = { providers: [], secret: SHORT_OF_HOST, trustHost: false }
    for (const [NODE_ENV, isShown] of [
      ['production', false],
      ['test', false],
      ['development', true],
    ] as const) {
      const application = createApplication(broken, { NODE_ENV })
      const response = await application.visitor().get('/signin')
      expect(response.status).toBe(500)
      const html = await response.text()
      expect(html.includes('UntrustedHost')).toBe(isShown)
      expect(html).not.toContain(SHORT_OF_HOST)
    }
  })
})

const SHORT_OF_HOST = 'a secret that no page must ever show'

describe('What an application configures', () => {
  it('is escaped on the sign-in page', async () => {
    const evil = `" onx=alert(1) x="><script>alert(1)</script>`
    const application = createApplication({
      providers: [
        Credentials({
          id: `x${evil}`,
          name: evil,
          credentials: {
            [evil]: { label: evil, placeholder: evil, value: evil, type: evil, [evil]: evil },
            pin: { onfocus: 'alert(1)', autofocus: true, label: 'PIN' },
          },
          authorize: () => null,
        }),
      ],
    })
    const response = await application.visitor().get('/signin')
    const html = await response.text()
    expectHarmless(html)
    expect(html).not.toContain('onfocus')
    expectGuarded(response, html)
    expect(linksOf(html).every(link => link.startsWith(ORIGIN))).toBe(true)
  })
})
