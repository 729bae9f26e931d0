import type { AuthConfig } from '@siteauth/core'
import {
  createIntegration,
  type FrameworkAdapter,
  type RequireSessionOptions,
  toResponse,
} from '@siteauth/core/integration'
import Credentials from '@siteauth/core/providers/credentials'
import { describe, expect, it } from 'vitest'
import { signInAs } from '../../testing/src/index.ts'
import { recordingLogger, SECRET } from './visitor.ts'

const HOME = 'https://app.example.com'
const PAGE = { accept: 'text/html' }
const PROGRAM = { accept: 'application/json' }
const JSON_TYPE = 'application/json; charset=utf-8'
const TEXT = 'text/plain; charset=utf-8'

interface Context {
  readonly request: Request
}

interface Site {
  readonly config?: Partial<AuthConfig>
  readonly env?: Record<string, string>
  readonly except?: FrameworkAdapter<Context, Response>['except']
}

function site({ config: more = {}, env = {}, except }: Site = {}) {
  const { logger, errors } = recordingLogger()
  const config: AuthConfig = {
    secret: SECRET,
    trustHost: true,
    logger,
    providers: [Credentials({ credentials: {}, authorize: () => null })],
    ...more,
  }
  const host: FrameworkAdapter<Context, Response> = {
    request: ({ request }) => request,
    change: () => {},
    respond: (_context, answer) => toResponse(answer),
    env: () => ({ NODE_ENV: 'test', ...env }),
    ...(except && { except }),
  }
  const auth = createIntegration(host, config)
  return {
    config,
    errors,
    /** The response of the guard to a request that it denies. */
    async denied(
      path: string,
      { method = 'GET', headers = {} as Record<string, string> } = {},
      options?: RequireSessionOptions,
    ): Promise<Response> {
      const request = new Request(HOME + path, { method, headers: { ...PAGE, ...headers } })
      const { denial } = await auth.guard({ request }, options)
      if (!denial) throw new Error('the guard let the request through')
      return denial.response
    },
  }
}

async function cookieOfAda(config: AuthConfig): Promise<string> {
  const user = { id: 'ada', name: 'Ada', email: 'ada@example.com' }
  const { headers } = await signInAs(config, user, { url: HOME, env: { NODE_ENV: 'test' } })
  return new Headers(headers).get('cookie') ?? ''
}

/** All of a response. */
async function told(response: Response) {
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
  }
}

/** What every denial says: it is about one visitor, and about what the visitor can read. */
const PRIVATE = { 'cache-control': 'private, no-cache, no-store', vary: 'Accept, Cookie' }

describe('a denial', () => {
  it.each([
    ['a program, which has no session', PROGRAM, 401, 'Unauthorized'],
    ['a script of a page', { ...PAGE, 'x-requested-with': 'XMLHttpRequest' }, 401, 'Unauthorized'],
  ] as const)('tells %s in JSON', async (_, headers, status, error) => {
    expect(await told(await site().denied('/notes', { headers }))).toEqual({
      status,
      headers: { ...PRIVATE, 'content-type': JSON_TYPE },
      body: JSON.stringify({ error }),
    })
  })

  it('tells a program that its user may not pass', async () => {
    const { config, denied } = site()
    const headers = { ...PROGRAM, cookie: await cookieOfAda(config) }
    const response = await denied('/notes', { headers }, { allow: () => false })
    expect(await told(response)).toEqual({
      status: 403,
      headers: { ...PRIVATE, 'content-type': JSON_TYPE },
      body: '{"error":"Forbidden"}',
    })
  })

  it('redirects a visitor who can sign in', async () => {
    expect(await told(await site().denied('/notes?a=1'))).toEqual({
      status: 302,
      headers: { ...PRIVATE, location: '/auth/signin?callbackUrl=%2Fnotes%3Fa%3D1' },
      body: '',
    })
  })

  it('offers a user who may not pass to sign in as another', async () => {
    const { config, denied } = site({ config: { pages: { signIn: '/login?a="b"&c' } } })
    const headers = { cookie: await cookieOfAda(config) }
    const { body, ...rest } = await told(
      await denied('/notes', { headers }, { allow: () => false }),
    )
    expect(rest).toEqual({
      status: 403,
      headers: { ...PRIVATE, 'content-type': 'text/html; charset=utf-8' },
    })
    expect(body).toContain(
      '<a href="/login?a=&quot;b&quot;&amp;c&amp;callbackUrl=%2Fnotes">Sign in as someone else</a>',
    )
  })

  it.each([
    [PAGE, TEXT, 'The session could not be read. The server log says why.'],
    [PROGRAM, JSON_TYPE, '{"error":"Service Unavailable"}'],
  ])('is 503 for %j if the session cannot be read', async (headers, type, body) => {
    const callbacks: AuthConfig['callbacks'] = { session: () => Promise.reject(new Error('down')) }
    const { config, denied } = site({ config: { callbacks } })
    const cookie = await cookieOfAda(config)
    expect(await told(await denied('/notes', { headers: { ...headers, cookie } }))).toEqual({
      status: 503,
      headers: { ...PRIVATE, 'content-type': type },
      body,
    })
  })

  it.each([
    [PAGE, TEXT, 'The session could not be read. The server log says why.'],
    [PROGRAM, JSON_TYPE, '{"error":"Internal Server Error"}'],
  ])('is 500 for %j if the configuration has a fault', async (headers, type, body) => {
    const { denied } = site({ config: { secret: '' } })
    expect(await told(await denied('/notes', { headers }))).toEqual({
      status: 500,
      headers: { ...PRIVATE, 'content-type': type },
      body,
    })
  })

  it('is 400 if the Host header is malformed', async () => {
    expect(await told(await site().denied('/notes', { headers: { host: 'a b' } }))).toEqual({
      status: 400,
      headers: { ...PRIVATE, 'content-type': TEXT },
      body: 'The Host header is malformed.',
    })
  })

  it('is 508 at the sign-in page itself', async () => {
    expect(await told(await site().denied('/auth/signin?callbackUrl=%2F'))).toEqual({
      status: 508,
      headers: { ...PRIVATE, 'content-type': TEXT },
      body: 'This page redirects to itself. The server log says why.',
    })
  })
})

describe('the sign-in page that a visitor is redirected to', () => {
  const pages = (signIn: string): Site => ({ config: { pages: { signIn } } })
  const below: Site = {
    config: { basePath: '/auth', pages: { signIn: '/login' } },
    env: { NODE_ENV: 'test', AUTH_URL: `${HOME}/shop/auth` },
  }

  it.each<[string, Site, string]>([
    ['/login', pages('/login'), '/login?callbackUrl=%2Fnotes'],
    ['/login?step=1', pages('/login?step=1'), '/login?step=1&callbackUrl=%2Fnotes'],
    ['/login#top', pages('/login#top'), '/login?callbackUrl=%2Fnotes#top'],
    [
      'on another site',
      pages('https://id.example.com/login'),
      'https://id.example.com/login?callbackUrl=%2Fnotes',
    ],
    ['below a prefix', below, '/shop/login?callbackUrl=%2Fshop%2Fnotes'],
  ])('can be %s', async (_, given, location) => {
    expect((await site(given).denied('/notes')).headers.get('location')).toBe(location)
  })

  it('can be chosen for a guard', async () => {
    const response = await site(pages('/login')).denied('/notes', {}, { redirectTo: '/staff' })
    expect(response.headers.get('location')).toBe('/staff?callbackUrl=%2Fnotes')
  })

  it('gets the page to return to, which is never on another site', async () => {
    const { denied } = site()
    const location = async (path: string) => (await denied(path)).headers.get('location')
    expect(await location('//evil.example/x')).toBe('/auth/signin?callbackUrl=%2Fevil.example%2Fx')
    expect(await location('///evil.example/x')).toBe('/auth/signin?callbackUrl=%2Fevil.example%2Fx')
  })

  it.each<[string, string, Record<string, string>, string]>([
    ['HEAD', 'the page itself', {}, '?callbackUrl=%2Fnotes'],
    ['POST', 'the page with the form', { referer: `${HOME}/form` }, formOf('/form')],
    ['POST', 'no page of another site', { referer: 'https://evil.example/' }, ''],
    ['POST', 'no page that is not known', {}, ''],
    ['POST', 'nothing that is not a URL', { referer: 'nonsense' }, ''],
  ])('gets for %s %s', async (method, _, headers, query) => {
    const response = await site().denied('/notes', { method, headers })
    expect(response.headers.get('location')).toBe(`/auth/signin${query}`)
  })

  it('gets the page with the form at the origin that browsers see', async () => {
    const { denied } = site({ env: { NODE_ENV: 'test', AUTH_URL: 'https://www.example.com' } })
    const get = async (referer: string) =>
      (await denied('/notes', { method: 'POST', headers: { referer } })).headers.get('location')
    expect(await get('https://www.example.com/form')).toContain('www.example.com%2Fform')
    expect(await get(`${HOME}/form`)).toBe('/auth/signin')
  })

  it('gets the page with the form at the host that a proxy in front has received', async () => {
    const { denied } = site()
    const get = async (referer: string) => {
      const headers = { referer, 'x-forwarded-host': 'www.example.com' }
      return (await denied('/notes', { method: 'POST', headers })).headers.get('location')
    }
    expect(await get('https://www.example.com/form')).toContain('www.example.com%2Fform')
    expect(await get(`${HOME}/form`)).toBe('/auth/signin')
  })
})

describe('a sign-in page behind the guard', () => {
  const pages = (signIn: string): Site => ({
    config: { pages: { signIn } },
    env: { NODE_ENV: 'test', AUTH_URL: HOME },
  })

  it.each<[string, Site, string]>([
    ['a path', pages('/login'), '/login?callbackUrl=%2F'],
    ['a path with a query', pages('/login?step=1'), '/login?step=1&callbackUrl=%2F'],
    ['a path with a fragment', pages('/login#top'), '/login?callbackUrl=%2F'],
    ['a URL', pages(`${HOME}/login`), '/login?callbackUrl=%2F'],
    ['a URL with a query', pages(`${HOME}/login?step=1`), '/login?step=1&callbackUrl=%2F'],
    [
      'below a prefix',
      {
        config: { basePath: '/auth', pages: { signIn: '/login' } },
        env: { NODE_ENV: 'test', AUTH_URL: `${HOME}/shop/auth` },
      },
      '/login?callbackUrl=%2Fshop%2F',
    ],
  ])('that is %s ends the redirects', async (_, given, path) => {
    expect((await site(given).denied(path)).status).toBe(508)
  })

  it.each<[string, Site, string, string]>([
    ['the first time', pages('/login'), 'GET', '/login'],
    ['with another parameter', pages('/login'), 'GET', '/login?mycallbackUrl=%2F'],
    ['to a form', pages('/login'), 'POST', '/login?callbackUrl=%2F'],
    ['on another page', pages('/login'), 'GET', '/login/x?callbackUrl=%2F'],
    [
      'if the page is on another site',
      pages('https://id.example.com/login'),
      'GET',
      '/login?callbackUrl=%2F',
    ],
    ['if the URL is another page', pages(`${HOME}/signin`), 'GET', '/login?callbackUrl=%2F'],
  ])('does not end them %s', async (_, given, method, path) => {
    const { denied, errors } = site(given)
    expect((await denied(path, { method })).status).toBe(302)
    expect(errors).toEqual([])
  })

  it('ends them for HEAD as for GET', async () => {
    const response = await site(pages('/login')).denied('/login?callbackUrl=%2F', {
      method: 'HEAD',
    })
    expect(response.status).toBe(508)
  })

  it('is no page for programs, for users who may not pass, and for functions', async () => {
    const { config, denied, errors } = site(pages('/login'))
    const here = '/login?callbackUrl=%2F'
    expect((await denied(here, { headers: PROGRAM })).status).toBe(401)
    const headers = { cookie: await cookieOfAda(config) }
    expect((await denied(here, { headers }, { allow: () => false })).status).toBe(403)
    expect(errors).toEqual([])
    const functions = site({
      ...pages('/login'),
      except: { names: 'routes', nameOf: () => undefined },
    })
    expect((await functions.denied(here)).status).toBe(302)
  })

  it('is an error in the log, once for each page, with what to do', async () => {
    const { denied, errors } = site(pages('/login?step=1'))
    await denied('/login?callbackUrl=%2Fa')
    await denied('/login?callbackUrl=%2Fb')
    await denied('/staff?callbackUrl=%2F', {}, { redirectTo: '/staff#top' })
    expect(errors.map(({ name, message }) => `${name}: ${message}`)).toEqual(
      ['/login', '/staff'].map(
        page =>
          `ErrorPageLoop: The sign-in page ${page} is behind the guard, so nobody can sign in. ` +
          'Mount the endpoints before the guard, and exempt a sign-in page of your own from it.',
      ),
    )
  })

  it.each([
    [
      '/login',
      /add "\/login" to the option except of the guard; otherwise, mount the endpoints before it\.$/,
    ],
    ['/[page]', /Mount the endpoints before the guard, and exempt/],
  ])('is told how to exempt the route %s', async (route, cure) => {
    const { denied, errors } = site({
      ...pages('/login'),
      except: { names: 'routes', nameOf: () => route },
    })
    await denied('/login?callbackUrl=%2F')
    expect(errors[0]?.message).toMatch(cure)
  })
})

function formOf(path: string): string {
  return `?callbackUrl=${encodeURIComponent(HOME + path)}`
}
