import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { processEnv, readEnv } from './env.ts'
import { readProviderEnv, redirectProxyUrl, unclearVariable } from './provider-env.ts'
import { isDevelopment } from './resolution/log-warnings.ts'
import { resolvePaths, trimPath } from './site-address.ts'

describe('the secrets of the environment', () => {
  it.each([
    [{}, []],
    [{ AUTH_SECRET: 'a' }, ['a']],
    [{ AUTH_SECRET: 'a', AUTH_SECRET_1: 'b' }, ['b', 'a']],
    [
      { AUTH_SECRET: 'a', AUTH_SECRET_1: 'b', AUTH_SECRET_2: 'c', AUTH_SECRET_3: 'd' },
      ['d', 'c', 'b', 'a'],
    ],
    [{ AUTH_SECRET_3: 'd', AUTH_SECRET_1: 'b' }, ['d', 'b']],
    [{ AUTH_SECRET: 'a', AUTH_SECRET_4: 'e' }, ['a']],
    [{ AUTH_SECRET: '', AUTH_SECRET_1: 'b' }, ['b']],
    [{ AUTH_SECRET: '' }, []],
    [{ NEXTAUTH_SECRET: 'n' }, ['n']],
    [{ AUTH_SECRET: 'a', NEXTAUTH_SECRET: 'n' }, ['a']],
    [{ AUTH_SECRET: '', NEXTAUTH_SECRET: 'n' }, ['n']],
    [{ AUTH_SECRET_2: 'c', NEXTAUTH_SECRET: 'n' }, ['c']],
    [{ NEXTAUTH_SECRET: '' }, []],
  ])('of %j are %j, the newest first', (env, secrets) => {
    expect(readEnv(env).secrets).toEqual(secrets)
  })
})

describe('the URL of the environment', () => {
  it.each([
    [{}, undefined],
    [{ AUTH_URL: 'https://x.test/auth' }, 'https://x.test/auth'],
    [{ NEXTAUTH_URL: 'https://x.test' }, 'https://x.test/'],
    [{ AUTH_URL: 'https://a.test', NEXTAUTH_URL: 'https://n.test' }, 'https://a.test/'],
    [{ AUTH_URL: '', NEXTAUTH_URL: 'https://n.test' }, 'https://n.test/'],
    [{ AUTH_URL: '' }, undefined],
    [{ AUTH_URL: 'http://localhost:3000' }, 'http://localhost:3000/'],
  ])('of %j is %j', (env, url) => {
    const said = readEnv(env)
    expect(said.url?.href).toBe(url)
    expect(said.unclear).toEqual([])
  })

  it.each([
    'x.test',
    'localhost:3000',
    'not a url',
    '/auth',
    'ftp://x.test',
    'javascript:alert(1)',
    'https://',
  ])('%j is at fault, with an example of what to write', AUTH_URL => {
    const said = readEnv({ AUTH_URL })
    expect(said.url).toBeUndefined()
    const [message] = said.unclear.map(each => unclearVariable(each).message)
    expect(message).toMatch(/AUTH_URL.*https:\/\/example\.com/)
  })
})

describe('whether the host is trusted', () => {
  it.each([
    [{}, 'loopback'],
    [{ NODE_ENV: '' }, 'loopback'],
    [{ NODE_ENV: 'Development' }, 'loopback'],
    [{ NODE_ENV: 'prodution' }, 'loopback'],
    [{ NODE_ENV: 'staging' }, 'loopback'],
    [{ NODE_ENV: 'development' }, true],
    [{ NODE_ENV: 'test' }, true],
    [{ NODE_ENV: 'production' }, 'loopback'],
    [{ NODE_ENV: 'production', AUTH_URL: 'https://x.test' }, true],
    [{ NODE_ENV: 'production', NEXTAUTH_URL: 'https://x.test' }, true],
    [{ NODE_ENV: 'production', VERCEL: '1' }, true],
    [{ NODE_ENV: 'production', CF_PAGES: '1' }, true],
    [{ NODE_ENV: 'production', VERCEL: '' }, 'loopback'],
    [{ NODE_ENV: 'production', AUTH_URL: '', VERCEL: '1' }, true],
    [{ NODE_ENV: 'production', AUTH_TRUST_HOST: '', VERCEL: '1' }, true],
    [{ NODE_ENV: 'production', AUTH_TRUST_HOST: 'true' }, true],
    [{ NODE_ENV: 'production', AUTH_TRUST_HOST: '1' }, true],
    [{ NODE_ENV: 'production', AUTH_TRUST_HOST: ' TRUE ' }, true],
    [{ NODE_ENV: 'production', AUTH_TRUST_HOST: 'yes' }, true],
    [{ NODE_ENV: 'production', AUTH_TRUST_HOST: 'on' }, true],
    [{ AUTH_TRUST_HOST: 'false' }, false],
    [{ AUTH_TRUST_HOST: '0' }, false],
    [{ AUTH_TRUST_HOST: 'no' }, false],
    [{ AUTH_TRUST_HOST: 'off', VERCEL: '1' }, false],
    [{ AUTH_TRUST_HOST: 'FALSE', NODE_ENV: 'development' }, false],
  ])('with %j is %j', (env, trusted) => {
    expect(readEnv(env)).toMatchObject({ trustHost: trusted, unclear: [] })
  })

  it.each(['maybe', 'example.com', '2', 'truee'])('cannot be said by %j', AUTH_TRUST_HOST => {
    const { unclear } = readEnv({ AUTH_TRUST_HOST })
    expect(unclear.map(each => unclearVariable(each).message)).toEqual([
      `AUTH_TRUST_HOST must be true or false, not "${AUTH_TRUST_HOST}".`,
    ])
  })
})

describe('the environment', () => {
  it('names the redirect proxy, unless it is set to nothing', () => {
    const url = 'https://proxy.test/auth'
    expect(redirectProxyUrl(undefined, { AUTH_REDIRECT_PROXY_URL: url })).toBe(url)
    expect(redirectProxyUrl(undefined, { AUTH_REDIRECT_PROXY_URL: '' })).toBeUndefined()
  })

  it('is one of development only where it says so', () => {
    expect(isDevelopment({ NODE_ENV: 'development' })).toBe(true)
    for (const NODE_ENV of ['production', 'test', '', 'Development', 'dev']) {
      expect(isDevelopment({ NODE_ENV })).toBe(false)
    }
    expect(isDevelopment({})).toBe(false)
  })

  it('is only read', () => {
    const env = Object.freeze({ AUTH_SECRET: 'a', AUTH_URL: 'https://x.test', AUTH_GITHUB_ID: 'i' })
    expect(() => {
      readEnv(env)
      readProviderEnv(env, 'github')
    }).not.toThrow()
  })

  it('is that of the process, as it is now', () => {
    vi.stubEnv('AUTH_SECRET', 'of the process')
    expect(readEnv(processEnv()).secrets).toEqual(['of the process'])
  })

  it('may be absent, as in browsers and on some edges', () => {
    vi.stubGlobal('process', undefined)
    expect(processEnv()).toEqual({})
    vi.unstubAllGlobals()
  })
})

describe('the variables of a provider', () => {
  it('are named by its id in upper case', () => {
    const env = {
      AUTH_GITHUB_ID: 'i',
      AUTH_GITHUB_SECRET: 's',
      AUTH_GITHUB_ISSUER: 'https://issuer.test',
      AUTH_GITHUB_KEY: 'k',
      AUTH_GITLAB_ID: 'other',
    }
    expect(readProviderEnv(env, 'github')).toEqual({
      clientId: 'i',
      clientSecret: 's',
      issuer: 'https://issuer.test',
      apiKey: 'k',
    })
  })

  it.each([
    ['42-school', 'AUTH_42_SCHOOL_ID'],
    ['microsoft-entra-id', 'AUTH_MICROSOFT_ENTRA_ID_ID'],
    ['my_own', 'AUTH_MY_OWN_ID'],
    ['camelCase', 'AUTH_CAMELCASE_ID'],
  ])('of %s start with %s', (id, name) => {
    expect(readProviderEnv({ [name]: 'i' }, id)).toEqual({ clientId: 'i' })
  })

  it('are not there where they are set to nothing', () => {
    expect(
      readProviderEnv({ AUTH_GITHUB_ID: '', AUTH_GITHUB_SECRET: undefined }, 'github'),
    ).toEqual({})
  })
})

describe('where the endpoints are', () => {
  const paths = (
    basePath: string | undefined,
    url: string | undefined,
    fallback = '/auth',
    prefix = '',
  ) => resolvePaths(basePath, url === undefined ? undefined : new URL(url), fallback, prefix)

  // basePath, AUTH_URL, where requests arrive, where browsers find them
  it.each([
    [undefined, undefined, '/auth', '/auth'],
    ['/api/auth', undefined, '/api/auth', '/api/auth'],
    ['/api/auth/', undefined, '/api/auth', '/api/auth'],
    ['/', undefined, '', ''],
    ['auth', undefined, '/auth', '/auth'],
    [undefined, 'https://x.test', '/auth', '/auth'],
    [undefined, 'https://x.test/', '/auth', '/auth'],
    [undefined, 'https://x.test/api/auth', '/api/auth', '/api/auth'],
    [undefined, 'https://x.test/api/auth/', '/api/auth', '/api/auth'],
    ['/auth', 'https://x.test', '/auth', '/auth'],
    ['/auth', 'https://x.test/auth', '/auth', '/auth'],
    ['/auth', 'https://x.test/auth/', '/auth', '/auth'],
    ['/auth', 'https://x.test/docs/auth', '/auth', '/docs/auth'],
    ['/api/auth', 'https://x.test/a/b/api/auth', '/api/auth', '/a/b/api/auth'],
    ['/', 'https://x.test/docs', '', '/docs'],
  ])('with basePath %j and AUTH_URL %j is %j, seen as %j', (basePath, url, route, seen) => {
    expect(paths(basePath, url)).toEqual({ route, public: seen })
  })

  it.each([
    ['/auth', 'https://x.test/other'],
    ['/auth', 'https://x.test/myauth'],
    ['/auth', 'https://x.test/auth/x'],
    ['/api/auth', 'https://x.test/auth'],
  ])('is basePath %j, with a warning, where AUTH_URL is %j', (basePath, url) => {
    expect(paths(basePath, url)).toEqual({
      route: basePath,
      public: basePath,
      warning: 'env-url-basepath-mismatch',
    })
  })

  it('is what the framework says, if nobody else does', () => {
    expect(paths(undefined, undefined, '/api/auth')).toEqual({
      route: '/api/auth',
      public: '/api/auth',
    })
    expect(paths(undefined, 'https://x.test', '/api/auth').route).toBe('/api/auth')
    expect(paths('/auth', undefined, '/api/auth').route).toBe('/auth')
  })

  it('is below what the framework takes off the path', () => {
    expect(paths(undefined, undefined, '/api/auth', '/docs')).toEqual({
      route: '/api/auth',
      public: '/docs/api/auth',
    })
    expect(paths('/auth', 'https://x.test', '/api/auth', '/docs/').public).toBe('/docs/auth')
  })
})

describe('a path', () => {
  it('loses the slashes at its end', () => {
    expect(['/', '/a', '/a/', '/a//', '/a/b/', ''].map(trimPath)).toEqual([
      '',
      '/a',
      '/a',
      '/a',
      '/a/b',
      '',
    ])
  })

  it('never ends with a slash', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('/', 'a') }), text => {
        expect(trimPath(text).endsWith('/')).toBe(false)
      }),
    )
  })
})
