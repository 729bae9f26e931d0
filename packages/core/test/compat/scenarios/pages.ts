import { ANNS_CLAIMS, CSRF_TOKEN, cookieNames, csrfCookie, HTTP, HTTPS } from '../fixtures.ts'
import { type RequestScenario, request, type Scenario } from '../scenario.ts'

type Rest = Partial<RequestScenario>

function show(path: string, id: string, rest: Rest = {}): Scenario {
  const action = path.replace(/^\/([a-z-]+).*/, '$1')
  return request(`${action}/${id}`, { path, ...rest })
}

const { callback: CALLBACK, csrf: CSRF } = cookieNames(HTTPS)

const ownPages = {
  signIn: '/login',
  signOut: '/logout',
  error: '/oops',
  verifyRequest: '/sent',
  newUser: '/welcome',
}

const withOwnPages = (): { pages: typeof ownPages } => ({ pages: ownPages })

const withQuery = () => ({
  pages: {
    signIn: '/login?from=auth',
    signOut: '/logout?from=auth',
    error: '/oops?from=auth',
    verifyRequest: '/sent?from=auth',
  },
})

const elsewhere = () => ({
  pages: { signIn: 'https://login.example.com/in', error: 'https://login.example.com/oops' },
})

/** An OAuth provider as an application writes it by hand. */
const oauth = {
  id: 'oa',
  name: 'OA',
  type: 'oauth',
  clientId: 'id',
  clientSecret: 'secret',
  authorization: 'https://oa.example.com/authorize',
  token: 'https://oa.example.com/token',
  userinfo: 'https://oa.example.com/me',
} as const

export const pageScenarios: readonly Scenario[] = [
  show('/providers', 'credentials'),
  show('/providers', 'over http', { origin: HTTP }),
  show('/providers', 'several', {
    config: ({ Credentials }) => ({
      providers: [
        oauth,
        Credentials({ id: 'second', name: 'Second', authorize: () => null }),
        Credentials({ authorize: () => null }),
      ],
    }),
  }),
  show('/providers', 'none', { config: () => ({ providers: [] }) }),
  show('/providers', 'as a function', {
    config: ({ Credentials }) => ({
      providers: [() => Credentials({ authorize: () => null })],
    }),
  }),
  show('/providers', 'two with one id', {
    config: ({ Credentials }) => ({
      providers: [Credentials({ authorize: () => null }), Credentials({ authorize: () => null })],
    }),
  }),
  show('/providers', 'in client mode', { client: true }),
  show('/providers', 'HEAD', { method: 'HEAD' }),
  show('/providers', 'POST', { form: {} }),

  show('/signin', 'page'),
  show('/signin', 'page over http', { origin: HTTP }),
  show('/signin', 'page for somebody signed in', { session: ANNS_CLAIMS }),
  show('/signin', 'page, cookies known', {
    cookies: async () => ({ [CSRF]: await csrfCookie(CSRF_TOKEN), [CALLBACK]: HTTPS }),
  }),
  show('/signin', 'page with an OAuth provider', { config: () => ({ providers: [oauth] }) }),
  show('/signin', 'page, CSRF check off', {
    config: ({ core }) => ({ skipCSRFCheck: core.skipCSRFCheck }),
  }),
  show('/signin', 'page in dark', { config: () => ({ theme: { colorScheme: 'dark' } }) }),
  show('/signin?error=CredentialsSignin&code=locked', 'page with an error'),
  show('/signin?error=', 'page with an empty error'),
  show('/signin?error=Whatever', 'page with an unknown error'),
  show('/signin?csrfToken=x&providers=y&theme=z', 'page with odd parameters'),
  show('/signin?callbackUrl=/next%3Fa=b', 'page with a path to return to'),
  show(`/signin?callbackUrl=${HTTPS}/next`, 'page with a URL to return to'),
  show('/signin?callbackUrl=https://other.example/x', 'page with a foreign URL to return to'),
  show('/signin?callbackUrl=//other.example/x', 'page with a URL without scheme to return to'),
  show('/signin?callbackUrl=%5C%5Cother.example', 'page with backslashes to return to'),
  show('/signin?callbackUrl=nonsense', 'page with nonsense to return to'),
  show('/signin?callbackUrl=javascript:alert(1)', 'page with a script to return to'),
  show('/signin?callbackUrl=', 'page with nothing to return to'),
  show('/signin?callbackUrl=/a&callbackUrl=/b', 'page with two paths to return to'),
  show('/signin', 'page with a URL to return to in the cookie', {
    cookies: { [CALLBACK]: `${HTTPS}/from-cookie` },
  }),
  show('/signin', 'page with a foreign URL in the cookie', {
    cookies: { [CALLBACK]: 'https://other.example/x' },
  }),
  show('/signin', 'page with nonsense in the cookie', { cookies: { [CALLBACK]: 'nonsense' } }),
  show('/signin?callbackUrl=/next', 'page with a redirect callback', {
    config: (_library, { spy }) => ({
      callbacks: { redirect: spy('callbacks.redirect', ({ baseUrl }) => `${baseUrl}/forced`) },
    }),
  }),
  show('/signin?callbackUrl=/next', 'page with a redirect callback to elsewhere', {
    config: (_library, { spy }) => ({
      callbacks: { redirect: spy('callbacks.redirect', () => 'https://other.example/ok') },
    }),
  }),
  show('/signin?callbackUrl=/next', 'page with a redirect callback to an application', {
    config: (_library, { spy }) => ({
      callbacks: { redirect: spy('callbacks.redirect', () => 'my-app://signed-in') },
    }),
  }),
  show('/signin?callbackUrl=/next', 'page with a redirect callback to a script', {
    config: () => ({ callbacks: { redirect: () => 'javascript:alert(1)' } }),
  }),
  show('/signin', 'page with a logo', {
    config: () => ({ theme: { logo: 'https://img.example/logo.png' } }),
  }),
  show('/signin?callbackUrl=/next', 'page with a redirect callback that throws', {
    config: () => ({
      callbacks: {
        redirect: () => {
          throw new Error('no')
        },
      },
    }),
  }),
  show('/signin', 'own page', { config: withOwnPages }),
  show('/signin?callbackUrl=/next', 'own page with a path to return to', { config: withOwnPages }),
  show('/signin?error=CredentialsSignin', 'own page with an error', { config: withOwnPages }),
  show('/signin?error=a%26b', 'own page with an odd error', { config: withOwnPages }),
  show('/signin?callbackUrl=/next', 'own page with a query', { config: withQuery }),
  show('/signin', 'own page elsewhere', { config: elsewhere }),
  show('/signin', 'own page in client mode', { config: withOwnPages, client: true }),
  show('/signin', 'HEAD', { method: 'HEAD' }),
  show('/signin/credentials', 'GET with a provider'),
  show('/signin/nobody', 'GET with an unknown provider'),
  show('/signin/undefined', 'GET with a provider that is undefined'),
  show('/signin', 'POST', { form: {} }),
  show('/signin', 'POST with a URL to return to', { form: { callbackUrl: '/next' } }),
  show('/signin', 'POST with own page', { form: {}, config: withOwnPages }),
  show('/signin', 'POST in client mode', { form: {}, client: true }),
  show('/signin', 'POST without CSRF token', { form: {}, csrf: 'none' }),
  show('/signin', 'POST without CSRF token, own page', {
    form: {},
    csrf: 'none',
    config: withOwnPages,
  }),
  show('/signin', 'POST without CSRF token in client mode', {
    form: {},
    csrf: 'none',
    client: true,
  }),
  show('/signin/credentials', 'POST for credentials', { form: { username: 'ann' } }),
  show('/signin/credentials', 'POST for credentials in client mode', { form: {}, client: true }),
  show('/signin/nobody', 'POST for an unknown provider', { form: {} }),
  show('/signin/undefined', 'POST for a provider that is undefined', { form: {} }),

  show('/signout', 'page'),
  show('/signout', 'page over http', { origin: HTTP }),
  show('/signout', 'page for somebody signed in', { session: ANNS_CLAIMS }),
  show('/signout?callbackUrl=/bye', 'page with a path to return to'),
  show('/signout', 'own page', { config: withOwnPages }),
  show('/signout?callbackUrl=/bye', 'own page with a path to return to', { config: withOwnPages }),
  show('/signout', 'own page with a query', { config: withQuery }),
  show('/signout/x', 'with something behind it'),

  show('/error', 'page'),
  show('/error?error=Configuration', 'page for Configuration'),
  show('/error?error=AccessDenied', 'page for AccessDenied'),
  show('/error?error=Verification', 'page for Verification'),
  show('/error?error=Whatever', 'page for anything else'),
  show('/error?error=constructor', 'page for a name that objects have'),
  show('/error?error=AccessDenied', 'page for AccessDenied, own sign-in page', {
    config: () => ({ pages: { signIn: '/login' } }),
  }),
  show('/error', 'own page', { config: withOwnPages }),
  show('/error?error=AccessDenied', 'own page for AccessDenied', { config: withOwnPages }),
  show('/error?error=a%26b%20c', 'own page for something odd', { config: withOwnPages }),
  show('/error?error=AccessDenied', 'own page with a query', { config: withQuery }),
  show('/error?error=AccessDenied', 'own page elsewhere', { config: elsewhere }),
  show('/error?error=AccessDenied', 'page in client mode', { client: true }),
  show('/error?error=AccessDenied', 'own page in client mode', {
    config: withOwnPages,
    client: true,
  }),
  show('/error', 'POST', { form: {} }),

  show('/verify-request', 'page'),
  show('/verify-request?provider=email&type=email', 'page with its parameters'),
  show('/verify-request?provider=email&type=email', 'own page', { config: withOwnPages }),
  show('/verify-request', 'own page without parameters', { config: withOwnPages }),
  show('/verify-request?provider=email&type=email', 'own page with a query', { config: withQuery }),
  show('/verify-request', 'POST', { form: {} }),
]
