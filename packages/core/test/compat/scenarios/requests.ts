import { ANN, ANNS_CLAIMS, CSRF_TOKEN, cookieNames, HTTP, HTTPS } from '../fixtures.ts'
import { type RequestScenario, request, type Scenario } from '../scenario.ts'

const { session: SESSION } = cookieNames(HTTPS)

function at(url: string, rest: Partial<RequestScenario> = {}): Scenario {
  const { method = 'GET' } = rest
  return request(`path/${method} ${url}`, { path: `${HTTPS}${url}`, ...rest })
}

function below(basePath: string, url: string): Scenario {
  return request(`path/GET ${url} with base path ${basePath}`, {
    path: `${HTTPS}${url}`,
    config: () => ({ basePath }),
  })
}

function body(id: string, rest: Partial<RequestScenario>): Scenario {
  return request(`body/${id}`, {
    path: '/callback/credentials',
    method: 'POST',
    config: ({ Credentials }, { spy }) => ({
      providers: [Credentials({ authorize: spy('authorize', () => ({ ...ANN })) })],
    }),
    ...rest,
  })
}

function host(id: string, rest: Partial<RequestScenario>): Scenario {
  return request(`origin/${id}`, { path: '/providers', ...rest })
}

const multipart = new FormData()
multipart.set('csrfToken', CSRF_TOKEN)
multipart.set('username', 'ann')

const html = { accept: 'text/html,application/xhtml+xml' }

export const requestScenarios: readonly Scenario[] = [
  at('/auth'),
  at('/auth/'),
  at('/auth/session/'),
  at('/auth//session'),
  at('/auth/session//'),
  at('/authsession'),
  at('/auth/session/x'),
  at('/auth/csrf/x'),
  at('/auth/signin/credentials/x'),
  at('/auth/signin///'),
  at('/auth/nothing'),
  request('path/no endpoint, asked for by a browser', { path: '/nothing', headers: html }),
  at('/auth/SESSION'),
  at('/auth/%73ession'),
  at('/auth/constructor'),
  at('/other/session'),
  at('/'),
  at('/auth/session?x=%'),
  at('/auth/signin?error=%zz'),
  at('/auth/webauthn-options'),
  at('/auth/webauthn-options/credentials'),
  at('/auth/session', { method: 'PUT' }),
  at('/auth/session', { method: 'DELETE' }),
  at('/auth/session', { method: 'OPTIONS' }),
  at('/auth/session', { method: 'PATCH' }),
  at('/auth/signout', { method: 'HEAD' }),
  at('/auth/error', { method: 'HEAD' }),
  at('/auth/callback/credentials', { method: 'HEAD' }),
  at('/auth/nothing', { method: 'POST', form: {} }),
  request('path/in raw mode', {
    path: '/nothing',
    config: ({ core }) => ({ raw: core.raw }),
  }),
  request('path/in client mode', { path: '/nothing', client: true }),
  request('path/id with percent signs', {
    path: '/callback/my%20id',
    form: { username: 'ann' },
    config: ({ Credentials }) => ({
      providers: [Credentials({ id: 'my id', authorize: () => ({ ...ANN }) })],
    }),
  }),
  request('path/list of ids with percent signs', {
    path: '/providers',
    config: ({ Credentials }) => ({
      providers: [Credentials({ id: 'my id', authorize: () => null })],
    }),
  }),
  below('/', '/session'),
  below('/', '/providers'),
  below('/', '/signin'),
  below('/api/auth', '/api/auth/providers'),
  below('/api/auth', '/api/auth/signin'),
  below('/api/auth', '/auth/session'),
  below('/api/auth/', '/api/auth/providers'),
  below('/a.b', '/a.b/session'),
  below('/a.b', '/axb/session'),
  below('', '/session'),
  below('auth', '/auth/session'),

  body('form', { form: { username: 'ann' } }),
  body('JSON', { json: { username: 'ann' } }),
  body('JSON with charset', {
    rawBody: JSON.stringify({ csrfToken: CSRF_TOKEN, username: 'ann' }),
    headers: { 'content-type': 'application/json; charset=utf-8' },
  }),
  body('JSON in capitals', {
    rawBody: JSON.stringify({ csrfToken: CSRF_TOKEN, username: 'ann' }),
    headers: { 'content-type': 'Application/JSON' },
  }),
  body('multipart', { rawBody: multipart }),
  body('text', {
    rawBody: `csrfToken=${CSRF_TOKEN}`,
    headers: { 'content-type': 'text/plain' },
  }),
  body('malformed JSON', { rawBody: '{', headers: { 'content-type': 'application/json' } }),
  body('malformed JSON, client mode', {
    rawBody: '{',
    headers: { 'content-type': 'application/json' },
    client: true,
  }),
  body('malformed JSON, raw mode', {
    rawBody: '{',
    headers: { 'content-type': 'application/json' },
    config: ({ core }) => ({ raw: core.raw }),
  }),
  body('malformed JSON by a browser', {
    rawBody: '{',
    headers: { 'content-type': 'application/json', ...html },
  }),
  body('JSON that is no object', {
    rawBody: '[1]',
    headers: { 'content-type': 'application/json' },
  }),
  body('JSON that is null', { json: null }),
  body('JSON that is empty', { rawBody: '', headers: { 'content-type': 'application/json' } }),
  body('JSON with the name of a prototype', {
    rawBody: `{"csrfToken":"${CSRF_TOKEN}","__proto__":{"a":1}}`,
    headers: { 'content-type': 'application/json' },
  }),
  body('very large', { form: { username: 'ann', filler: 'x'.repeat(300_000) } }),
  body('malformed form', {
    rawBody: `csrfToken=${CSRF_TOKEN}&username=%zz`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  }),
  request('body/malformed JSON to update the session', {
    path: '/session',
    method: 'POST',
    rawBody: '{',
    headers: { 'content-type': 'application/json' },
  }),

  host('of the request', {}),
  host('with a port', { origin: 'https://app.example.com:8443' }),
  host('in the Host header', { headers: { host: 'public.example.com' } }),
  host('forwarded', { headers: { 'x-forwarded-host': 'public.example.com' } }),
  host('forwarded with protocol', {
    origin: HTTP,
    headers: { 'x-forwarded-host': 'public.example.com', 'x-forwarded-proto': 'https' },
  }),
  host('forwarded twice', {
    headers: {
      'x-forwarded-host': 'first.example.com, last.example.com',
      'x-forwarded-proto': 'https,http',
    },
  }),
  host('forwarded and malformed', { headers: { 'x-forwarded-host': 'a b' } }),
  host('not trusted', { config: () => ({ trustHost: false }) }),
  host('trust not decided', { config: () => ({ trustHost: undefined }) }),
  host('listed', { config: () => ({ trustHost: ['app.example.com'] }) }),
  host('not listed', { config: () => ({ trustHost: ['www.example.com'] }) }),
  request('origin/cookies of https behind a proxy that speaks http', {
    path: '/session',
    origin: HTTP,
    headers: { 'x-forwarded-proto': 'https' },
    session: ANNS_CLAIMS,
  }),

  request('cookie header/two of one name', {
    path: '/session',
    headers: { cookie: `${SESSION}=garbage; ${SESSION}=more` },
  }),
  request('cookie header/broken percent sign', {
    path: '/signin',
    headers: { cookie: '__Secure-authjs.callback-url=%zz' },
  }),
  request('cookie header/quotes', {
    path: '/signin',
    headers: { cookie: `__Secure-authjs.callback-url="${HTTPS}/x"` },
  }),
  request('cookie header/nonsense', { path: '/session', headers: { cookie: ';;; =; a' } }),
]
