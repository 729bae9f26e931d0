import type { AuthConfig } from '@siteauth/core'
import { ANN, ANNS_CLAIMS, cookieNames, HTTP, HTTPS, OLD_SECRET, SECRET } from '../fixtures.ts'
import { type Library, ours, theirs } from '../libraries.ts'
import { type RequestScenario, request, type Scenario } from '../scenario.ts'

const { session: NAME, callback: CALLBACK } = cookieNames(HTTPS)

function signIn(id: string, rest: Partial<RequestScenario> = {}): Scenario {
  const hasBody = 'json' in rest || 'rawBody' in rest
  return request(`credentials/${id}`, {
    path: '/callback/credentials',
    ...(!hasBody && { form: { username: 'ann', password: 'p' } }),
    ...rest,
  })
}

/** A scenario in all three ways to be asked: as a form, as a script's request, and for plain data. */
function inEachMode(id: string, rest: Partial<RequestScenario> = {}): readonly Scenario[] {
  return [
    signIn(id, rest),
    signIn(`${id}, client mode`, { ...rest, client: true }),
    signIn(`${id}, raw mode`, {
      ...rest,
      config: (library, recorder) => ({
        ...rest.config?.(library, recorder),
        raw: library.core.raw,
      }),
    }),
  ]
}

type Authorize = (library: Library) => unknown

function authorizing(run: Authorize): NonNullable<RequestScenario['config']> {
  return (library, { spy }) => ({
    providers: [
      library.Credentials({
        credentials: { username: {} },
        authorize: spy('authorize', async () => run(library) as Promise<null>),
      }),
    ],
  })
}

type Callbacks = Required<NonNullable<AuthConfig['callbacks']>>

function asking(answer: (library: Library) => unknown): NonNullable<RequestScenario['config']> {
  return (library, { spy }) => ({
    callbacks: {
      signIn: spy('callbacks.signIn', async () => answer(library) as Promise<boolean>),
      jwt: spy('callbacks.jwt', ({ token }) => token),
    },
  })
}

function issuing(run: Callbacks['jwt']): NonNullable<RequestScenario['config']> {
  return (_library, { spy }) => ({ callbacks: { jwt: spy('callbacks.jwt', run) } })
}

function throwing(error: Error): never {
  throw error
}

export const credentialsScenarios: readonly Scenario[] = [
  ...inEachMode('ok'),
  signIn('ok over http', { origin: HTTP }),
  signIn('ok as JSON', { json: { username: 'ann' } }),
  signIn('ok with a path to return to', { form: { username: 'ann', callbackUrl: '/next' } }),
  signIn('ok with a path to return to, client mode', {
    form: { username: 'ann', callbackUrl: '/next' },
    client: true,
  }),
  signIn('ok with a URL to return to', {
    form: { username: 'ann', callbackUrl: `${HTTPS}/next?a=b#c` },
  }),
  signIn('ok with a foreign URL to return to', {
    form: { username: 'ann', callbackUrl: 'https://other.example/x' },
  }),
  signIn('ok with nonsense to return to', {
    form: { username: 'ann', callbackUrl: 'nonsense' },
  }),
  signIn('ok with a path to return to in the query', {
    path: '/callback/credentials?callbackUrl=/next',
  }),
  signIn('ok with a path to return to in both', {
    path: '/callback/credentials?callbackUrl=/query',
    form: { username: 'ann', callbackUrl: '/body' },
  }),
  signIn('ok with a URL to return to in the cookie', {
    cookies: { [CALLBACK]: `${HTTPS}/from-cookie` },
  }),
  signIn('ok with the URL of the cookie in the form', {
    cookies: { [CALLBACK]: `${HTTPS}/next` },
    form: { username: 'ann', callbackUrl: '/next' },
  }),
  signIn('ok with a redirect callback', {
    form: { username: 'ann', callbackUrl: '/next' },
    config: (_library, { spy }) => ({
      callbacks: {
        redirect: spy('callbacks.redirect', ({ url, baseUrl }) => `${baseUrl}/to?${url}`),
      },
    }),
  }),
  signIn('ok while signed in already', { session: { sub: 'u2', name: 'Bob' } }),
  signIn('ok while signed in already, chunked', {
    cookies: { [`${NAME}.0`]: 'x', [`${NAME}.1`]: 'y' },
  }),
  signIn('ok with a large token', {
    config: issuing(({ token }) => ({ ...token, notes: 'n'.repeat(6000) })),
  }),
  signIn('ok with two secrets', { config: () => ({ secret: [SECRET, OLD_SECRET] }), csrf: 'none' }),
  signIn('ok with a short session', { config: () => ({ session: { maxAge: 3600 } }) }),
  signIn('ok with another lifetime of the token', {
    config: () => ({ session: { maxAge: 3600 }, jwt: { maxAge: 60 } }),
  }),
  signIn('ok, secure cookies off', { config: () => ({ useSecureCookies: false }), csrf: 'none' }),
  signIn('ok, secure cookies off, CSRF check off', {
    config: ({ core }) => ({ useSecureCookies: false, skipCSRFCheck: core.skipCSRFCheck }),
    csrf: 'none',
  }),
  signIn('ok, secure cookies on over http', {
    origin: HTTP,
    config: ({ core }) => ({ useSecureCookies: true, skipCSRFCheck: core.skipCSRFCheck }),
    csrf: 'none',
  }),
  signIn('ok, CSRF check off', {
    config: ({ core }) => ({ skipCSRFCheck: core.skipCSRFCheck }),
    csrf: 'none',
  }),
  signIn('ok with own page for new users', { config: () => ({ pages: { newUser: '/welcome' } }) }),
  signIn('ok, the event throws', {
    config: (_library, { spy }) => ({
      events: { signIn: spy('events.signIn', () => throwing(new Error('no'))) },
    }),
  }),
  signIn('ok at a provider of another id', {
    path: '/callback/staff',
    config: ({ Credentials }) => ({
      providers: [Credentials({ id: 'staff', authorize: () => ({ ...ANN }) })],
    }),
  }),
  signIn('what authorize is given', {
    path: '/callback/credentials?q=1',
    form: { username: 'ann', callbackUrl: '/next', odd: '1', 'username[]': 'x' },
    config: ({ Credentials }, { spy }) => ({
      providers: [
        Credentials({
          authorize: spy('authorize', async (_fields, request: Request) => ({
            ...ANN,
            name: await request.text(),
          })),
        }),
      ],
    }),
  }),
  signIn('what authorize is given as JSON', {
    json: { username: 'ann', age: 5, tags: ['a'] },
    config: authorizing(() => ANN),
  }),
  signIn('what authorize is given of a repeated field', {
    csrf: 'cookie',
    rawBody: new URLSearchParams([
      ['csrfToken', 'c5'.repeat(32)],
      ['username', 'a'],
      ['username', 'b'],
    ]).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    config: authorizing(() => ANN),
  }),

  signIn('user with a number as id', { config: authorizing(() => ({ id: 7, name: 'Seven' })) }),
  signIn('user without id', { config: authorizing(() => ({ name: 'Nobody' })) }),
  signIn('user with id 0', { config: authorizing(() => ({ id: 0 })) }),
  signIn('user with an empty id', { config: authorizing(() => ({ id: '' })) }),
  signIn('user with further fields', { config: authorizing(() => ({ ...ANN, role: 'admin' })) }),
  signIn('user with null fields', {
    config: authorizing(() => ({ id: 'u3', name: null, email: null, image: null })),
  }),
  signIn('frozen user', { config: authorizing(() => Object.freeze({ ...ANN })) }),

  ...inEachMode('authorize answers null', { config: authorizing(() => null) }),
  signIn('authorize answers undefined', { config: authorizing(() => undefined) }),
  signIn('authorize answers null, own page', {
    config: (library, recorder) => ({
      ...authorizing(() => null)(library, recorder),
      pages: { signIn: '/login', error: '/oops' },
    }),
  }),
  signIn('authorize answers null, own page with a query', {
    config: (library, recorder) => ({
      ...authorizing(() => null)(library, recorder),
      pages: { signIn: '/login?from=auth' },
    }),
  }),
  signIn('authorize answers null, own page elsewhere', {
    config: (library, recorder) => ({
      ...authorizing(() => null)(library, recorder),
      pages: { signIn: 'https://login.example.com/in' },
    }),
  }),
  signIn('authorize answers null, with a path to return to', {
    form: { callbackUrl: '/next' },
    config: authorizing(() => null),
  }),
  signIn('authorize answers null while signed in', {
    session: ANNS_CLAIMS,
    config: authorizing(() => null),
  }),
  ...inEachMode('authorize throws CredentialsSignin', {
    config: authorizing(({ errors }) => throwing(new errors.CredentialsSignin('wrong'))),
  }),
  ...inEachMode('authorize throws a subclass with a code', {
    config: authorizing(({ errors }) => {
      class Locked extends errors.CredentialsSignin {
        override code = 'locked & bolted'
      }
      return throwing(new Locked())
    }),
  }),
  ...inEachMode('authorize throws an Error', {
    config: authorizing(() => throwing(new Error('the database is down'))),
  }),
  signIn('authorize throws an Error, own page', {
    config: (library, recorder) => ({
      ...authorizing(() => throwing(new Error('down')))(library, recorder),
      pages: { error: '/oops' },
    }),
  }),
  signIn('authorize throws a text', {
    config: authorizing(() => {
      throw 'a text'
    }),
  }),
  ...inEachMode('authorize throws AccessDenied', {
    config: authorizing(({ errors }) => throwing(new errors.AccessDenied('no'))),
  }),
  signIn('authorize throws an AuthError', {
    config: authorizing(({ errors }) => throwing(new errors.AuthError('no'))),
  }),
  signIn('authorize throws an InvalidCheck', {
    config: authorizing(({ errors }) => throwing(new errors.InvalidCheck('no'))),
  }),
  signIn('authorize throws a subclass of AuthError', {
    config: authorizing(({ errors }) => {
      class Mine extends errors.AuthError {}
      return throwing(new Mine('no'))
    }),
  }),
  signIn('authorize throws an error of the other copy', {
    config: authorizing(library => {
      const { CredentialsSignin } = (library === ours ? theirs : ours).errors
      return throwing(new CredentialsSignin('wrong'))
    }),
  }),

  ...inEachMode('signIn answers true', { config: asking(() => true) }),
  ...inEachMode('signIn answers false', { config: asking(() => false) }),
  signIn('signIn answers false, own page', {
    config: (library, recorder) => ({
      ...asking(() => false)(library, recorder),
      pages: { error: '/oops', signIn: '/login' },
    }),
  }),
  signIn('signIn answers undefined', { config: asking(() => undefined) }),
  signIn('signIn answers an object', { config: asking(() => ({})) }),
  signIn('signIn answers an empty text', { config: asking(() => '') }),
  ...inEachMode('signIn answers a path', { config: asking(() => '/not-yet') }),
  signIn('signIn answers a URL', { config: asking(() => `${HTTPS}/not-yet?a=b`) }),
  ...inEachMode('signIn answers a foreign URL', {
    config: asking(() => 'https://other.example/pay'),
  }),
  signIn('signIn answers a path, with a path to return to', {
    form: { username: 'ann', callbackUrl: '/next' },
    config: asking(() => '/not-yet'),
  }),
  signIn('signIn answers nonsense', { config: asking(() => 'nonsense') }),
  signIn('signIn answers a path, with a redirect callback', {
    config: (_library, { spy }) => ({
      callbacks: {
        signIn: spy('callbacks.signIn', () => '/not-yet'),
        redirect: spy('callbacks.redirect', ({ baseUrl }) => `${baseUrl}/forced`),
      },
    }),
  }),
  ...inEachMode('signIn throws', { config: asking(() => throwing(new Error('no'))) }),
  ...inEachMode('signIn throws AccessDenied', {
    config: asking(({ errors }) => throwing(new errors.AccessDenied('no'))),
  }),
  signIn('signIn throws CredentialsSignin', {
    config: asking(({ errors }) => throwing(new errors.CredentialsSignin('no'))),
  }),
  signIn('signIn is undefined', { config: () => ({ callbacks: { signIn: undefined } }) }),

  signIn('jwt', { config: issuing(({ token }) => token) }),
  signIn('jwt adds claims', {
    config: issuing(({ token, user, account, trigger }) => ({
      ...token,
      user,
      via: account?.provider,
      trigger,
    })),
  }),
  ...inEachMode('jwt answers null', { config: issuing(() => null) }),
  signIn('jwt answers null while signed in', {
    session: ANNS_CLAIMS,
    config: issuing(() => null),
  }),
  ...inEachMode('jwt answers undefined', { config: issuing(() => undefined as never) }),
  ...inEachMode('jwt throws', { config: issuing(() => throwing(new Error('no'))) }),
  signIn('jwt throws AccessDenied', {
    config: (library, { spy }) => ({
      callbacks: {
        jwt: spy('callbacks.jwt', () => throwing(new library.errors.AccessDenied('no'))),
      },
    }),
  }),
  signIn('own encode', {
    config: (_library, { spy }) => ({
      jwt: { encode: spy('jwt.encode', ({ token }) => JSON.stringify(token)) },
    }),
  }),
  signIn('own encode throws', {
    config: () => ({ jwt: { encode: () => throwing(new Error('no')) } }),
  }),

  signIn('no CSRF token', { csrf: 'none' }),
  signIn('no CSRF token, client mode', { csrf: 'none', client: true }),
  signIn('no CSRF token, raw mode', {
    csrf: 'none',
    config: ({ core }) => ({ raw: core.raw }),
  }),
  signIn('no CSRF token, own page', {
    csrf: 'none',
    config: () => ({ pages: { signIn: '/login' } }),
  }),
  request('credentials/GET', { path: '/callback/credentials' }),
  request('credentials/GET, client mode', { path: '/callback/credentials', client: true }),
  request('credentials/unknown provider', { path: '/callback/nobody', form: {} }),
  request('credentials/unknown provider, client mode', {
    path: '/callback/nobody',
    form: {},
    client: true,
  }),
  request('credentials/unknown provider, raw mode', {
    path: '/callback/nobody',
    form: {},
    config: ({ core }) => ({ raw: core.raw }),
  }),
  request('credentials/no provider', { path: '/callback', form: {} }),
  request('credentials/GET, no provider', { path: '/callback' }),
]
