import {
  CSRF_TOKEN,
  cookieNames,
  csrfCookie,
  HTTP,
  HTTPS,
  OLD_SECRET,
  SECRET,
} from '../fixtures.ts'
import { type RequestScenario, request, type Scenario } from '../scenario.ts'

const { csrf: NAME } = cookieNames(HTTPS)

function read(id: string, rest: Partial<RequestScenario>): Scenario {
  return request(`csrf/${id}`, { path: '/csrf', ...rest })
}

/** A POST that shows whether a CSRF cookie counts. */
function use(id: string, rest: Partial<RequestScenario>): Scenario {
  const body = 'json' in rest ? {} : { form: {} }
  return request(`csrf/use/${id}`, { path: '/signout', ...body, ...rest })
}

function madeWith(secret: string): () => Promise<Record<string, string>> {
  return async () => ({ [NAME]: await csrfCookie(CSRF_TOKEN, secret) })
}

export const csrfScenarios: readonly Scenario[] = [
  read('first time', {}),
  read('first time over http', { origin: HTTP }),
  read('known', { cookies: madeWith(SECRET) }),
  read('forged', { cookies: { [NAME]: `${CSRF_TOKEN}|${'0'.repeat(64)}` } }),
  read('malformed', { cookies: { [NAME]: 'x' } }),
  read('with two secrets', { config: () => ({ secret: [SECRET, OLD_SECRET] }) }),
  read('switched off', {
    config: ({ core }) => ({ skipCSRFCheck: core.skipCSRFCheck }),
  }),
  read('switched off by anything else', {
    config: () => ({ skipCSRFCheck: true }),
  }),
  read('HEAD', { method: 'HEAD' }),
  read('POST', { form: {} }),
  use('valid', {}),
  use('over http', { origin: HTTP }),
  use('no token', { csrf: 'none' }),
  use('token in the cookie only', { csrf: 'cookie' }),
  use('token in the form only', { csrf: 'field' }),
  use('forged', { csrf: 'forged' }),
  use('token in the query', {
    csrf: 'cookie',
    path: `/signout?csrfToken=${CSRF_TOKEN}`,
  }),
  use('token of another length', { csrf: 'cookie', form: { csrfToken: 'c5' } }),
  use('no text', { csrf: 'cookie', json: { csrfToken: 5 } }),
  use('switched off', {
    csrf: 'none',
    config: ({ core }) => ({ skipCSRFCheck: core.skipCSRFCheck }),
  }),
  use('secrets rotated: made with the secret that is now second', {
    cookies: madeWith(OLD_SECRET),
    config: () => ({ secret: [SECRET, OLD_SECRET] }),
  }),
  use('made with both secrets', {
    cookies: madeWith(`${SECRET},${OLD_SECRET}`),
    config: () => ({ secret: [SECRET, OLD_SECRET] }),
  }),
  use('made with the newest of two secrets', {
    config: () => ({ secret: [SECRET, OLD_SECRET] }),
  }),
  use('from a page of another origin', { headers: { origin: 'https://other.example' } }),
  use('from a page of the same origin', { headers: { origin: HTTPS } }),
  use('from a page that hides its origin', { headers: { origin: 'null' } }),
  use('from another site, says the browser', { headers: { 'sec-fetch-site': 'cross-site' } }),
  use('from the same site, says the browser', { headers: { 'sec-fetch-site': 'same-site' } }),
  use('from the same origin, says the browser', { headers: { 'sec-fetch-site': 'same-origin' } }),
]
