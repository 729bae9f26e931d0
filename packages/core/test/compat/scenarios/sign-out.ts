import { ANNS_CLAIMS, cookieNames, HTTP, HTTPS } from '../fixtures.ts'
import { type RequestScenario, request, type Scenario } from '../scenario.ts'

const { session: NAME, callback: CALLBACK } = cookieNames(HTTPS)

function signOut(id: string, rest: Partial<RequestScenario> = {}): Scenario {
  return request(`sign-out/${id}`, { path: '/signout', form: {}, session: ANNS_CLAIMS, ...rest })
}

const { session: _, ...nobody } = { session: undefined, path: '/signout', form: {} }

export const signOutScenarios: readonly Scenario[] = [
  signOut('ok'),
  signOut('ok over http', { origin: HTTP }),
  signOut('ok, client mode', { client: true }),
  signOut('ok, raw mode', { config: ({ core }) => ({ raw: core.raw }) }),
  signOut('ok as JSON', { json: {} }),
  signOut('ok with a path to return to', { form: { callbackUrl: '/bye' } }),
  signOut('ok with a path to return to, client mode', {
    form: { callbackUrl: '/bye' },
    client: true,
  }),
  signOut('ok with a path to return to in the query', { path: '/signout?callbackUrl=/bye' }),
  signOut('ok with a foreign URL to return to', {
    form: { callbackUrl: 'https://other.example/x' },
  }),
  signOut('ok with nonsense to return to', { form: { callbackUrl: 'nonsense' } }),
  signOut('ok with a URL to return to in the cookie', { cookies: { [CALLBACK]: `${HTTPS}/next` } }),
  signOut('ok with own page', { config: () => ({ pages: { signOut: '/logout' } }) }),
  signOut('ok with a redirect callback', {
    form: { callbackUrl: '/bye' },
    config: (_library, { spy }) => ({
      callbacks: { redirect: spy('callbacks.redirect', () => 'https://other.example/bye') },
    }),
  }),
  signOut('ok, the event throws', {
    config: (_library, { spy }) => ({
      events: {
        signOut: spy('events.signOut', () => {
          throw new Error('no')
        }),
      },
    }),
  }),
  signOut('expired session', { sessionAge: 31 * 86_400 }),
  request('sign-out/nobody signed in', nobody),
  request('sign-out/nobody signed in, client mode', { ...nobody, client: true }),
  request('sign-out/garbage', { ...nobody, cookies: { [NAME]: 'garbage' } }),
  request('sign-out/chunked', {
    ...nobody,
    cookies: { [`${NAME}.0`]: 'a', [`${NAME}.1`]: 'b' },
  }),
  request('sign-out/beside a cookie whose name starts the same', {
    ...nobody,
    cookies: { [`${NAME}-other`]: 'mine' },
  }),
  signOut('no CSRF token', { csrf: 'none' }),
  signOut('no CSRF token, client mode', { csrf: 'none', client: true }),
  signOut('no CSRF token, raw mode', {
    csrf: 'none',
    config: ({ core }) => ({ raw: core.raw }),
  }),
  signOut('no CSRF token, own pages', {
    csrf: 'none',
    config: () => ({ pages: { signIn: '/login', error: '/oops' } }),
  }),
]
