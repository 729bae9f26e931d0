import type { AuthConfig } from '@siteauth/core'
import { ANNS_CLAIMS, HTTPS, issuedToken, SECRET } from '../fixtures.ts'
import type { Library } from '../libraries.ts'
import { type RequestScenario, request, type Scenario } from '../scenario.ts'

type Config = (library: Library) => Partial<AuthConfig> | object

/** A configuration that is asked for the session, which should tell whether it is any good. */
function configured(id: string, config: Config, rest: Partial<RequestScenario> = {}): Scenario {
  return request(`configuration/${id}`, { path: '/session', ...rest, config })
}

/** What a visitor is told of a configuration that is wrong. */
function wrong(id: string, rest: Partial<RequestScenario> & { path: string }): Scenario {
  const { config, ...others } = rest
  return request(`configuration/wrong/${id}`, {
    ...others,
    config: (library, recorder) => ({ secret: '', ...config?.(library, recorder) }),
  })
}

const loop = { pages: { error: '/oops' } }

const withEndpoints = {
  authorization: 'https://oa.example.com/authorize',
  token: 'https://oa.example.com/token',
  userinfo: 'https://oa.example.com/me',
}

const oauth = { id: 'oa', name: 'OA', type: 'oauth', clientId: 'i', clientSecret: 's' } as const

function broken(): never {
  throw new Error('this provider needs options')
}

const cookieOptions =
  (key: string, override: object): NonNullable<RequestScenario['config']> =>
  () => ({ cookies: { [key]: override } })

export const configurationScenarios: readonly Scenario[] = [
  configured('no secret', () => ({ secret: undefined })),
  configured('empty secret', () => ({ secret: '' })),
  configured('no secrets', () => ({ secret: [] })),
  configured('an empty secret among others', () => ({ secret: [''] })),
  configured('short secret', () => ({ secret: 'short' })),
  configured('one secret in a list', () => ({ secret: [SECRET] }), { session: ANNS_CLAIMS }),
  configured('untrusted host', () => ({ trustHost: false })),
  configured('no providers', () => ({ providers: [] })),
  configured('credentials without authorize', ({ Credentials }) => ({
    providers: [Credentials({})],
  })),
  configured('credentials object without authorize', () => ({
    providers: [{ id: 'c', name: 'C', type: 'credentials', credentials: {} }],
  })),
  configured('provider function that throws', () => ({ providers: [broken] })),
  configured('provider that is nothing', () => ({ providers: [undefined] })),
  configured('OAuth with endpoints', () => ({ providers: [{ ...oauth, ...withEndpoints }] })),
  configured('OAuth with issuer', () => ({ providers: [{ ...oauth, issuer: HTTPS }] })),
  configured('OAuth without authorization', () => ({
    providers: [{ ...oauth, ...withEndpoints, authorization: undefined }],
  })),
  configured('OAuth without token', () => ({
    providers: [{ ...oauth, ...withEndpoints, token: undefined }],
  })),
  configured('OAuth without userinfo', () => ({
    providers: [{ ...oauth, ...withEndpoints, userinfo: undefined }],
  })),
  configured('OAuth with endpoints in options', () => ({
    providers: [{ ...oauth, options: withEndpoints }],
  })),
  configured('OAuth with an endpoint that is no URL', () => ({
    providers: [{ ...oauth, ...withEndpoints, authorization: 'nonsense' }],
  })),
  configured('OAuth with own requests', () => ({
    providers: [
      {
        ...oauth,
        ...withEndpoints,
        userinfo: { request: () => ({}) },
      },
    ],
  })),
  configured('database sessions without adapter', () => ({ session: { strategy: 'database' } })),
  configured('database sessions, adapter without methods', ({ Credentials }) => ({
    adapter: {},
    providers: [{ ...oauth, ...withEndpoints }, Credentials({ authorize: () => null })],
  })),
  configured('jwt sessions, adapter without methods', () => ({
    adapter: {},
    session: { strategy: 'jwt' },
  })),
  configured('callback URL in the query that is nonsense', () => ({}), {
    path: '/session?callbackUrl=nonsense',
  }),
  configured('callback URL in the query with another scheme', () => ({}), {
    path: '/session?callbackUrl=ftp://x.example',
  }),
  configured('callback URL in the cookie that is nonsense', () => ({}), {
    cookies: { '__Secure-authjs.callback-url': 'nonsense' },
  }),
  configured('page that is no path', () => ({ pages: { signIn: 'login' } }), { path: '/signin' }),
  configured('negative maxAge', () => ({ session: { maxAge: -1 } })),
  configured('redirect proxy that is no URL', () => ({ redirectProxyUrl: 'nonsense' })),
  configured('unknown option', () => ({ whatever: 1 })),

  wrong('GET session', { path: '/session' }),
  wrong('GET csrf', { path: '/csrf' }),
  wrong('GET providers', { path: '/providers' }),
  wrong('GET signin', { path: '/signin' }),
  wrong('GET signout', { path: '/signout' }),
  wrong('GET error', { path: '/error?error=AccessDenied' }),
  wrong('GET verify-request', { path: '/verify-request' }),
  wrong('GET callback', { path: '/callback/credentials' }),
  wrong('POST signin', { path: '/signin', form: {} }),
  wrong('POST callback', { path: '/callback/credentials', form: {} }),
  wrong('POST session', { path: '/session', json: {} }),
  wrong('GET signin in client mode', { path: '/signin', client: true }),
  wrong('GET session in raw mode', {
    path: '/session',
    config: ({ core }) => ({ raw: core.raw }),
  }),
  wrong('GET signin in dark', {
    path: '/signin',
    config: () => ({ theme: { colorScheme: 'dark' } }),
  }),
  wrong('GET signin, own page', { path: '/signin', config: () => loop }),
  wrong('GET error, own page', { path: '/error', config: () => loop }),
  wrong('GET session, own page', { path: '/session', config: () => loop }),
  wrong('GET signin, own page in a loop', {
    path: '/signin?callbackUrl=/oops',
    config: () => loop,
  }),
  wrong('no endpoint', { path: '/nothing' }),
  wrong('PUT', { path: '/session', method: 'PUT' }),

  ...(
    [
      ['sessionToken', { name: 'sid' }],
      ['sessionToken', { options: { domain: 'example.com' } }],
      ['sessionToken', { options: { sameSite: 'strict' } }],
      ['sessionToken', { options: { sameSite: 'none', secure: true } }],
      ['sessionToken', { options: { maxAge: 60 } }],
      ['sessionToken', { options: { httpOnly: false } }],
      ['sessionToken', { options: { path: '/app', partitioned: true, priority: 'high' } }],
      ['sessionToken', { name: 'bad name' }],
      ['sessionToken', { options: { sameSite: true } }],
      ['csrfToken', { name: 'csrf' }],
      ['csrfToken', { options: { sameSite: 'strict' } }],
      ['callbackUrl', { name: 'return' }],
      ['callbackUrl', { options: { maxAge: 60 } }],
    ] as const
  ).flatMap(([key, override]): Scenario[] => {
    const id = `configuration/cookies/${key} ${JSON.stringify(override)}`
    const config = cookieOptions(key, override)
    const off: NonNullable<RequestScenario['config']> = (library, recorder) => ({
      ...config(library, recorder),
      skipCSRFCheck: library.core.skipCSRFCheck,
    })
    return key === 'sessionToken'
      ? [
          request(id, {
            path: '/callback/credentials',
            form: { username: 'ann' },
            csrf: 'none',
            config: off,
          }),
        ]
      : [request(id, { path: '/signin?callbackUrl=/next', config })]
  }),
  request('configuration/cookies/own name, read', {
    path: '/session',
    cookies: async () => ({ sid: await issuedToken(ANNS_CLAIMS, { salt: 'sid' }) }),
    config: cookieOptions('sessionToken', { name: 'sid' }),
  }),
  request('configuration/cookies/own name, signed out', {
    path: '/signout',
    form: {},
    cookies: async () => ({ sid: await issuedToken(ANNS_CLAIMS, { salt: 'sid' }) }),
    config: cookieOptions('sessionToken', { name: 'sid', options: { domain: 'example.com' } }),
  }),
]
