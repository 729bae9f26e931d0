import type { AuthConfig } from '@siteauth/core'
import type { JWT } from '@siteauth/core/jwt'
import {
  ANNS_CLAIMS,
  CSRF_TOKEN,
  cookieNames,
  csrfCookie,
  HTTP,
  HTTPS,
  issuedToken,
  OLD_SECRET,
  SECRET,
} from '../fixtures.ts'
import { type RequestScenario, request, type Scenario } from '../scenario.ts'

const DAY = 86_400

const { session: NAME } = cookieNames(HTTPS)

/** `GET session` with some cookies. */
function read(id: string, rest: Partial<RequestScenario>): Scenario {
  return request(`session/${id}`, { path: '/session', ...rest })
}

/** `POST session` with some data. */
function update(id: string, rest: Partial<RequestScenario>): Scenario {
  const body = 'form' in rest ? {} : { json: { data: { a: 1 } } }
  return request(`session/update/${id}`, { path: '/session', ...body, ...rest })
}

function tokenCookie(
  options: Partial<Parameters<typeof issuedToken>[1]> & { claims?: JWT },
): () => Promise<Record<string, string>> {
  const { claims, ...rest } = options
  return async () => ({ [NAME]: await issuedToken(claims ?? ANNS_CLAIMS, { salt: NAME, ...rest }) })
}

/** Claims so large that their token needs several cookies. */
const large = { ...ANNS_CLAIMS, notes: 'n'.repeat(6000) }

async function chunks(
  names: readonly string[] = ['.0', '.1', '.2'],
): Promise<Record<string, string>> {
  const token = await issuedToken(large, { salt: NAME })
  return Object.fromEntries(
    names.map((suffix, index) => [NAME + suffix, token.slice(index * 3936, (index + 1) * 3936)]),
  )
}

function withCallbacks(
  callbacks: Partial<Record<'jwt' | 'session', (params: never) => unknown>>,
): NonNullable<RequestScenario['config']> {
  return (_library, recorder) => ({
    callbacks: Object.fromEntries(
      Object.entries(callbacks).map(([name, run]) => [
        name,
        recorder.spy(`callbacks.${name}`, run),
      ]),
    ) as NonNullable<AuthConfig['callbacks']>,
  })
}

type JwtParams = { token: Record<string, unknown>; trigger?: string; session?: unknown }
type SessionParams = { session: { user: object; expires: unknown }; token: Record<string, unknown> }

const seenByBoth = withCallbacks({
  jwt: ({ token }: JwtParams) => token,
  session: ({ session }: SessionParams) => session,
})

function throwing(message: string): never {
  throw new Error(message)
}

export const sessionScenarios: readonly Scenario[] = [
  read('anonymous', {}),
  read('anonymous over http', { origin: HTTP }),
  read('anonymous with a callback URL in the query', {
    path: '/session?callbackUrl=/next',
  }),
  read('anonymous with other cookies', {
    cookies: async () => ({
      [cookieNames(HTTPS).csrf]: await csrfCookie(CSRF_TOKEN),
      [cookieNames(HTTPS).callback]: `${HTTPS}/next`,
    }),
  }),
  read('fresh', { session: ANNS_CLAIMS }),
  read('fresh over http', { origin: HTTP, session: ANNS_CLAIMS }),
  read('an hour old', { session: ANNS_CLAIMS, sessionAge: 3600 }),
  read('two days old', { session: ANNS_CLAIMS, sessionAge: 2 * DAY }),
  read('29 days old', { session: ANNS_CLAIMS, sessionAge: 29 * DAY }),
  read('renewed at every access', {
    session: ANNS_CLAIMS,
    sessionAge: 60,
    config: () => ({ session: { updateAge: 0 } }),
  }),
  read('short lived', {
    cookies: tokenCookie({ age: 1000, maxAge: 3600 }),
    config: () => ({ session: { maxAge: 3600 } }),
  }),
  read('short lived and due', {
    cookies: tokenCookie({ age: 1900, maxAge: 3600 }),
    config: () => ({ session: { maxAge: 3600 } }),
  }),
  read('own lifetime of the token', {
    session: ANNS_CLAIMS,
    sessionAge: 2 * DAY,
    config: () => ({ jwt: { maxAge: 7200 } }),
  }),
  read('expired', { session: ANNS_CLAIMS, sessionAge: 31 * DAY }),
  read('expired ten seconds ago', { session: ANNS_CLAIMS, sessionAge: 30 * DAY + 10 }),
  read('expired sixteen seconds ago', { session: ANNS_CLAIMS, sessionAge: 30 * DAY + 16 }),
  read('garbage', { cookies: { [NAME]: 'garbage' } }),
  read('garbage of five parts', { cookies: { [NAME]: 'a..b.c.d' } }),
  read('empty cookie', { cookies: { [NAME]: '' } }),
  read('tampered', {
    cookies: async () => {
      const token = await issuedToken(ANNS_CLAIMS, { salt: NAME })
      return { [NAME]: `${token.slice(0, -8)}AAAAAAAA` }
    },
  }),
  read('of the cookie for http', { cookies: tokenCookie({ salt: 'authjs.session-token' }) }),
  read('of another secret', { cookies: tokenCookie({ secret: OLD_SECRET }) }),
  read('of the older of two secrets', {
    cookies: tokenCookie({ secret: OLD_SECRET }),
    config: () => ({ secret: [SECRET, OLD_SECRET] }),
  }),
  read('of the older of two secrets, due', {
    cookies: tokenCookie({ secret: OLD_SECRET, age: 2 * DAY }),
    config: () => ({ secret: [SECRET, OLD_SECRET] }),
  }),
  read('with a secret of its own', {
    cookies: tokenCookie({ secret: OLD_SECRET, age: 2 * DAY }),
    config: () => ({ jwt: { secret: OLD_SECRET } }),
  }),
  read('claims that nobody knows', { session: { sub: 'u1', role: 'admin' }, sessionAge: 2 * DAY }),
  read('no claims at all', { session: {} }),
  read('not valid yet', { session: { ...ANNS_CLAIMS, nbf: 2_000_000_000 } }),
  read('chunked', { cookies: () => chunks() }),
  read('chunked, in any order', {
    cookies: async () => Object.fromEntries(Object.entries(await chunks()).reverse()),
  }),
  read('chunked, due', {
    cookies: async () => {
      const token = await issuedToken(large, { salt: NAME, age: 2 * DAY })
      return {
        [`${NAME}.0`]: token.slice(0, 3936),
        [`${NAME}.1`]: token.slice(3936, 7872),
        [`${NAME}.2`]: token.slice(7872),
      }
    },
  }),
  read('chunked, one chunk lost', {
    cookies: async () => {
      const { [`${NAME}.1`]: _lost, ...rest } = await chunks()
      return rest
    },
  }),
  read('chunked, and shrinking', {
    cookies: () => chunks(),
    config: withCallbacks({ jwt: ({ token: { notes: _, ...rest } }: JwtParams) => rest }),
  }),
  read('whole, and growing', {
    session: ANNS_CLAIMS,
    config: withCallbacks({ jwt: ({ token }: JwtParams) => ({ ...token, notes: large.notes }) }),
  }),
  read('beside a cookie whose name starts the same', {
    session: ANNS_CLAIMS,
    cookies: { [`${NAME}-other`]: 'mine' },
  }),
  read('whole, with chunks left over', {
    session: ANNS_CLAIMS,
    cookies: { [`${NAME}.0`]: 'left', [`${NAME}.1`]: 'over' },
  }),
  read('callbacks', { session: ANNS_CLAIMS, config: seenByBoth }),
  read('callbacks, due', { session: ANNS_CLAIMS, sessionAge: 2 * DAY, config: seenByBoth }),
  read('jwt adds a claim', {
    session: ANNS_CLAIMS,
    config: withCallbacks({ jwt: ({ token }: JwtParams) => ({ ...token, role: 'admin' }) }),
  }),
  read('jwt changes the name', {
    session: ANNS_CLAIMS,
    config: withCallbacks({ jwt: ({ token }: JwtParams) => ({ ...token, name: 'Anna' }) }),
  }),
  read('jwt answers null', { session: ANNS_CLAIMS, config: withCallbacks({ jwt: () => null }) }),
  read('jwt answers null, chunked', {
    cookies: () => chunks(),
    config: withCallbacks({ jwt: () => null }),
  }),
  read('jwt answers undefined', {
    session: ANNS_CLAIMS,
    config: withCallbacks({ jwt: () => undefined }),
  }),
  read('jwt throws', {
    session: ANNS_CLAIMS,
    config: withCallbacks({ jwt: () => throwing('the role service is down') }),
  }),
  read('session adds a field', {
    session: { ...ANNS_CLAIMS, role: 'admin' },
    config: withCallbacks({
      session: ({ session, token }: SessionParams) => ({ ...session, role: token['role'] }),
    }),
  }),
  read('session answers undefined', {
    session: ANNS_CLAIMS,
    config: withCallbacks({ session: () => undefined }),
  }),
  read('session answers null', {
    session: ANNS_CLAIMS,
    config: withCallbacks({ session: () => null }),
  }),
  read('session throws', {
    session: ANNS_CLAIMS,
    config: withCallbacks({ session: () => throwing('no') }),
  }),
  read('redirect callback', {
    session: ANNS_CLAIMS,
    cookies: { [cookieNames(HTTPS).callback]: `${HTTPS}/next` },
    config: (_library, { spy }) => ({
      callbacks: { redirect: spy('callbacks.redirect', ({ url }) => url) },
    }),
  }),
  read('event throws', {
    session: ANNS_CLAIMS,
    config: (_library, { spy }) => ({
      events: { session: spy('events.session', () => throwing('no')) },
    }),
  }),
  read('explicit undefined options', {
    session: ANNS_CLAIMS,
    config: () => ({ session: { maxAge: undefined }, callbacks: { session: undefined } }),
  }),
  read('own encode and decode', {
    cookies: { [NAME]: JSON.stringify({ sub: 'u1', name: 'Ann' }) },
    config: (_library, { spy }) => ({
      session: { updateAge: 0 },
      jwt: {
        encode: spy('jwt.encode', ({ token }) => JSON.stringify(token)),
        decode: spy('jwt.decode', ({ token }) => JSON.parse(token ?? 'null')),
      },
    }),
  }),
  read('own decode throws', {
    cookies: { [NAME]: 'x' },
    config: () => ({ jwt: { decode: () => throwing('not mine') } }),
  }),
  read('own decode answers null', {
    cookies: { [NAME]: 'x' },
    config: () => ({ jwt: { decode: () => null } }),
  }),
  read('in client mode', { session: ANNS_CLAIMS, client: true }),
  read('with an Authorization header only', {
    headers: { authorization: 'Bearer x' },
  }),
  read('HEAD', { method: 'HEAD', session: ANNS_CLAIMS }),

  update('anonymous', {}),
  update('fresh', { session: ANNS_CLAIMS, config: seenByBoth }),
  update('without callbacks', { session: ANNS_CLAIMS }),
  update('as a form', {
    session: ANNS_CLAIMS,
    config: seenByBoth,
    form: { data: 'text' },
  }),
  update('without data', { session: ANNS_CLAIMS, config: seenByBoth, json: {} }),
  update('with null', { session: ANNS_CLAIMS, config: seenByBoth, json: { data: null } }),
  update('jwt takes the data over', {
    session: ANNS_CLAIMS,
    config: withCallbacks({
      jwt: ({ token, trigger, session }: JwtParams) =>
        trigger === 'update' ? { ...token, ...(session as object) } : token,
    }),
  }),
  update('without CSRF token', { session: ANNS_CLAIMS, csrf: 'none' }),
  update('without CSRF cookie', { session: ANNS_CLAIMS, csrf: 'field' }),
  update('with a forged CSRF cookie', { session: ANNS_CLAIMS, csrf: 'forged' }),
  update('without CSRF token in client mode', { session: ANNS_CLAIMS, csrf: 'none', client: true }),
  update('of an expired session', { session: ANNS_CLAIMS, sessionAge: 31 * DAY }),
  update('of garbage', { cookies: { [NAME]: 'garbage' } }),
  update('jwt answers null', { session: ANNS_CLAIMS, config: withCallbacks({ jwt: () => null }) }),
  update('jwt throws', {
    session: ANNS_CLAIMS,
    config: withCallbacks({ jwt: () => throwing('no') }),
  }),
  update('session throws', {
    session: ANNS_CLAIMS,
    config: withCallbacks({ session: () => throwing('no') }),
  }),
]
