import { describe, expect, it } from 'vitest'
import { serializeCookie } from '../http/cookie-text.ts'
import { setCookie } from '../http/cookies.ts'
import {
  bindingProblem,
  cookieProblem,
  cookieTable,
  cookieTables,
  isHttpsSite,
  needsBinding,
} from './cookies.ts'
import type { AuthConfig } from './options.ts'
import { readSources } from './sources.ts'

const written = (secure: boolean) =>
  Object.fromEntries(
    Object.entries(cookieTable({ secure }, undefined)).map(([key, cookie]) => [
      key,
      serializeCookie(setCookie(cookie, 'v')),
    ]),
  )

describe('the cookies', () => {
  it('have over HTTPS the names that the old library gave them, or stricter ones', () => {
    const rest = 'Path=/; HttpOnly; Secure; SameSite=Lax'
    expect(written(true)).toMatchObject({
      sessionToken: `__Secure-authjs.session-token=v; ${rest}`,
      callbackUrl: `__Secure-authjs.callback-url=v; ${rest}`,
      csrfToken: `__Host-authjs.csrf-token=v; ${rest}`,
      pkceCodeVerifier: `__Secure-authjs.pkce.code_verifier=v; Max-Age=900; ${rest}`,
      state: `__Host-authjs.state=v; Max-Age=900; ${rest}`,
      nonce: `__Secure-authjs.nonce=v; ${rest}`,
      webauthnChallenge: `__Host-authjs.challenge=v; Max-Age=900; ${rest}`,
      emailRequest: `__Host-authjs.email-request=v; ${rest}`,
      signInForm: `__Host-authjs.sign-in-form=v; ${rest}`,
      tokens: `__Host-siteauth.tokens=v; ${rest}`,
      knownBrowser: `__Host-siteauth.known=v; ${rest}`,
      lastProvider: `__Host-siteauth.last-provider=v; ${rest}`,
      sessionBinding: `__Host-siteauth.bound=v; ${rest}`,
    })
  })

  it('have over HTTP the same names without a prefix', () => {
    const rest = 'Path=/; HttpOnly; SameSite=Lax'
    expect(written(false)).toMatchObject({
      sessionToken: `authjs.session-token=v; ${rest}`,
      callbackUrl: `authjs.callback-url=v; ${rest}`,
      csrfToken: `authjs.csrf-token=v; ${rest}`,
      pkceCodeVerifier: `authjs.pkce.code_verifier=v; Max-Age=900; ${rest}`,
      state: `authjs.state=v; Max-Age=900; ${rest}`,
      nonce: `authjs.nonce=v; ${rest}`,
      webauthnChallenge: `authjs.challenge=v; Max-Age=900; ${rest}`,
    })
  })

  it('have one that binds sessions to a browser on https, also if none other is Secure', () => {
    expect(written(false)).toMatchObject({
      sessionBinding: '__Host-siteauth.bound=v; Path=/; HttpOnly; Secure; SameSite=Lax',
    })
  })

  it.each([
    'state',
    'webauthnChallenge',
    'emailRequest',
    'signInForm',
    'tokens',
    'knownBrowser',
    'lastProvider',
    'sessionBinding',
    'reauthentication',
  ] as const)('that hosts share have a name that lets them: %s', key => {
    const shared = cookieTable({ secure: true }, { [key]: { options: { domain: 'example.com' } } })
    expect(shared[key].name).toMatch(/^__Secure-(authjs|siteauth)\./)
    expect(cookieProblem(key, shared[key])).toBeNull()
    const below = cookieTable({ secure: true }, { [key]: { options: { path: '/app' } } })
    expect(below[key].name).toMatch(/^__Secure-(authjs|siteauth)\./)
    const plain = cookieTable({ secure: true }, { [key]: { options: { secure: false } } })
    expect(plain[key].name).toMatch(/^__Secure-/)
    const same = cookieTable({ secure: true }, { [key]: { options: { path: '/', secure: true } } })
    expect(same[key].name).toMatch(/^__Host-/)
  })

  it('that binds a session is sent wherever browsers send the session', () => {
    const embedded = { sameSite: 'none', partitioned: true } as const
    const { sessionBinding } = cookieTable(
      { secure: true },
      { sessionToken: { options: { ...embedded, maxAge: 60, path: '/app' } } },
    )
    expect(serializeCookie(setCookie(sessionBinding, 'v'))).toBe(
      '__Host-siteauth.bound=v; Path=/; HttpOnly; Secure; Partitioned; SameSite=None',
    )
  })

  it.each<[string, Partial<AuthConfig>, Record<string, string>, [https: boolean, http: boolean]]>([
    ['by each request if nothing says more', {}, {}, [true, false]],
    ['by an https URL', {}, { AUTH_URL: 'https://example.com' }, [true, true]],
    ['by an http URL', {}, { AUTH_URL: 'http://example.com' }, [false, false]],
    ['by the option', { useSecureCookies: true }, { AUTH_URL: 'http://example.com' }, [true, true]],
    ['by the option alone', { useSecureCookies: false }, {}, [false, false]],
  ])('are made for HTTPS or HTTP %s', (_, options, env, secure) => {
    const { https, http } = cookieTables(readSources({ providers: [], ...options }, { env }))
    expect([https, http].map(({ state }) => state.options.secure)).toEqual(secure)
    const names = secure.map(each => (each ? '__Host-authjs.state' : 'authjs.state'))
    expect([https, http].map(({ state }) => state.name)).toEqual(names)
  })

  it('have for both what the application says of them', () => {
    const cookies = { state: { name: 'mine' } }
    const { https, http } = cookieTables(
      readSources({ providers: [], cookies }, { env: { NODE_ENV: 'test' } }),
    )
    expect([https.state.name, http.state.name]).toEqual(['mine', 'mine'])
  })

  it.each([true, false])('are without fault as they are (secure: %j)', secure => {
    for (const [key, cookie] of Object.entries(cookieTable({ secure }, undefined))) {
      expect(cookieProblem(key, cookie)).toBeNull()
    }
  })

  it('keep what an application does not say', () => {
    const table = cookieTable(
      { secure: true },
      {
        csrfToken: { options: { sameSite: 'strict' } },
        sessionToken: { name: 'mine' },
        state: { name: undefined as never, options: { maxAge: undefined as never } }, // JavaScript can
      },
    )
    expect(table.csrfToken).toEqual({
      name: '__Host-authjs.csrf-token',
      options: { httpOnly: true, sameSite: 'strict', path: '/', secure: true },
    })
    expect(table.sessionToken).toEqual({
      name: 'mine',
      options: { httpOnly: true, sameSite: 'lax', path: '/', secure: true },
    })
    expect(table.state).toEqual(cookieTable({ secure: true }, undefined).state)
    expect(table.nonce).toEqual(cookieTable({ secure: true }, undefined).nonce)
  })

  it('do not share what an application changes in one of them', () => {
    const options = { domain: 'example.com' }
    const table = cookieTable({ secure: true }, { sessionToken: { options } })
    expect(table.callbackUrl.options.domain).toBeUndefined()
    expect(options).toEqual({ domain: 'example.com' })
  })
})

describe('a session is bound to a browser', () => {
  const table = (overrides: AuthConfig['cookies']) => cookieTable({ secure: true }, overrides)
  const ofDomain = { options: { domain: 'example.com' } }

  it.each<[string, AuthConfig['cookies'], boolean]>([
    ['other hosts can set its cookie', {}, true],
    ['other hosts can set it under a name that only ends like theirs', named('my__Host-'), true],
    ['no other host can set it', named('__Host-my'), false],
    ['hosts share it', { sessionToken: ofDomain }, false],
  ])('if %s', (_, overrides, expected) => {
    expect(needsBinding(table(overrides))).toBe(expected)
    const planted = table({ ...overrides, sessionBinding: { name: 'my__Host-' } })
    const problem = bindingProblem(planted)
    expect(problem?.startsWith('cookies.sessionBinding needs a name') ?? false).toBe(expected)
    expect(bindingProblem(table({ ...overrides, sessionBinding: { name: '__Host-b' } }))).toBeNull()
  })

  it.each([
    [{}, 'https://app.test', true],
    [{}, 'http://app.test', false],
    [{}, 'other:https:', false],
    [{ useSecureCookies: true }, 'http://app.test', true],
    [{ useSecureCookies: false }, 'https://app.test', true],
    [{ useSecureCookies: false }, 'http://app.test', false],
  ])('with %j at %s: %j', (config, origin, expected) => {
    expect(isHttpsSite(config as { useSecureCookies: undefined }, origin)).toBe(expected)
  })
})

/** A session cookie with another name. */
function named(name: string): AuthConfig['cookies'] {
  return { sessionToken: { name } }
}

describe('a cookie is at fault', () => {
  const good = { httpOnly: true, sameSite: 'lax', path: '/', secure: true } as const

  it.each([
    ['an empty name', '', good],
    ['a semicolon in its name', 'a;b', good],
    ['an equals sign in its name', 'a=b', good],
    ['a blank in its name', 'a b', good],
    ['a line feed in its name', 'a\nb', good],
    ['a carriage return in its name', 'a\rb', good],
    ['a name that is not ASCII', 'é', good],
    ['a comma in its name', 'a,b', good],
    ['a path that ends it', 'a', { ...good, path: '/; Domain=evil.example' }],
    ['a path with a line feed', 'a', { ...good, path: '/\n' }],
    ['a path that is not ASCII', 'a', { ...good, path: '/é' }],
    ['a domain that ends it', 'a', { ...good, domain: 'x.example; Path=/' }],
    ['a domain with a line feed', 'a', { ...good, domain: 'x\r\ny' }],
    ['a domain that is none', 'a', { ...good, domain: 'https://x.example' }],
    ['the prefix __Secure- without Secure', '__Secure-a', { ...good, secure: false }],
    ['the prefix __Host- without Secure', '__Host-a', { ...good, secure: false }],
    ['the prefix __Host- with a domain', '__Host-a', { ...good, domain: 'example.com' }],
    ['the prefix __Host- with another path', '__Host-a', { ...good, path: '/auth' }],
    ['SameSite=None without Secure', 'a', { ...good, sameSite: 'none', secure: false }],
    ['a lifetime that is no whole number', 'a', { ...good, maxAge: 1.5 }],
    ['an end that is no date', 'a', { ...good, expires: new Date(Number.NaN) }],
    ['a priority that does not exist', 'a', { ...good, priority: 'urgent' as 'high' }],
    ['an encoding that ends it', 'a', { ...good, encode: () => 'x;y' }],
  ] as const)('with %s', (_what, name, options) => {
    expect(cookieProblem('sessionToken', { name, options })).toMatch(/^cookies\.sessionToken/)
  })

  it.each(['a;b', 'a\rb', 'x;', ' x', 'a=b', ''])('and its name %j is what is named', name => {
    expect(cookieProblem('state', { name, options: good })).toBe(
      "cookies.state.name contains characters a cookie's name cannot have.",
    )
  })

  it.each([
    ['path', '/; Domain=evil.example'],
    ['path', '/\r'],
    ['path', '/a,b'],
    ['path', '/a b'],
    ['path', '/\u00e9'],
    ['domain', 'x.example; Path=/'],
    ['domain', 'x.example\rSet-Cookie: a=b'],
    ['domain', 'x.example\u007f'],
  ] as const)('and its %s %j is what is named', (attribute, value) => {
    const options = { ...good, [attribute]: value }
    expect(cookieProblem('state', { name: 'a', options })).toBe(
      `cookies.state.options.${attribute} contains characters it cannot have.`,
    )
  })

  it.each([
    ['a domain', 'a', { ...good, domain: 'example.com' }],
    ['another path', '__Secure-a', { ...good, path: '/app' }],
    ['SameSite=None and Secure', 'a', { ...good, sameSite: 'none' }],
    ['no path', 'a', { ...good, path: '' }],
  ] as const)('but not with %s', (_what, name, options) => {
    expect(cookieProblem('sessionToken', { name, options })).toBeNull()
  })
})
