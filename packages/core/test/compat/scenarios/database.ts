import type { Adapter, AdapterSession, AdapterUser } from '@siteauth/core/adapters'
import { ANN, ANNS_CLAIMS, cookieNames, HTTPS, NOW } from '../fixtures.ts'
import type { Recorder } from '../observe.ts'
import { type RequestScenario, request, type Scenario } from '../scenario.ts'

const { session: NAME } = cookieNames(HTTPS)
const DAY = 86_400_000
const TOKEN = 'row-1'

const ann: AdapterUser = { ...ANN, emailVerified: null }

/** A database with one user and one session, which notes what is asked of it. */
export function adapterWith(
  { spy }: Recorder,
  session: Partial<AdapterSession> | null,
  changes: Partial<Adapter> = {},
): Adapter {
  const row = session && { sessionToken: TOKEN, userId: ann.id, expires: new Date(NOW), ...session }
  const plain: Adapter = {
    createUser: user => ({ ...user }),
    getUser: () => ann,
    getUserByEmail: () => ann,
    getUserByAccount: () => null,
    updateUser: user => ({ ...ann, ...user }),
    linkAccount: () => undefined,
    createSession: created => ({ ...created }),
    getSessionAndUser: token => (row && token === TOKEN ? { session: row, user: ann } : null),
    updateSession: () => row,
    deleteSession: () => row,
    ...changes,
  }
  return Object.fromEntries(
    Object.entries(plain).map(([name, run]) => [
      name,
      spy(`adapter.${name}`, run as (...args: unknown[]) => unknown),
    ]),
  ) as Adapter
}

/** The part of a database that holds users, and keeps what it is told. */
export function usersOf(
  ...users: readonly AdapterUser[]
): Pick<Adapter, 'createUser' | 'getUserByEmail' | 'updateUser'> {
  const rows = new Map(users.map(user => [user.id, user]))
  const keep = (user: AdapterUser) => {
    rows.set(user.id, user)
    return user
  }
  return {
    createUser: keep,
    getUserByEmail: email => [...rows.values()].find(user => user.email === email) ?? null,
    updateUser: ({ id, ...changes }) => keep({ ...ann, ...rows.get(id), ...changes, id }),
  }
}

/** A request with the cookie of the session that is in the database. */
function stored(
  id: string,
  session: Partial<AdapterSession> | null,
  rest: Partial<RequestScenario> & { changes?: Partial<Adapter> } = {},
): Scenario {
  const { config, changes, ...others } = rest
  return request(`database/${id}`, {
    path: '/session',
    cookies: { [NAME]: TOKEN },
    ...others,
    config: (library, recorder) => ({
      adapter: adapterWith(recorder, session, changes),
      providers: [
        {
          id: 'oa',
          name: 'OA',
          type: 'oauth',
          clientId: 'i',
          clientSecret: 's',
          authorization: 'https://oa.example.com/authorize',
          token: 'https://oa.example.com/token',
          userinfo: 'https://oa.example.com/me',
        },
        library.Credentials({ authorize: () => ({ ...ANN }) }),
      ],
      ...config?.(library, recorder),
    }),
  })
}

function at(offset: number): Partial<AdapterSession> {
  return { expires: new Date(NOW + offset) }
}

function fail(): never {
  throw new Error('the database is down')
}

const withCallback: NonNullable<RequestScenario['config']> = (_library, { spy }) => ({
  callbacks: { session: spy('callbacks.session', ({ session }) => session) },
})

export const databaseScenarios: readonly Scenario[] = [
  stored('anonymous', null, { cookies: {} }),
  stored('unknown', null),
  stored('fresh', at(30 * DAY)),
  stored('an hour old', at(30 * DAY - 3_600_000)),
  stored('due', at(28 * DAY)),
  stored('renewed at every access', at(30 * DAY), {
    config: () => ({ session: { updateAge: 0 } }),
  }),
  stored('short lived', at(3_000_000), { config: () => ({ session: { maxAge: 3600 } }) }),
  stored('expires this very moment', at(0)),
  stored('expired', at(-1000)),
  stored('session callback', at(30 * DAY), { config: withCallback }),
  stored('session callback, due', at(28 * DAY), { config: withCallback }),
  stored('session callback throws', at(30 * DAY), {
    config: () => ({ callbacks: { session: fail } }),
  }),
  stored('session callback answers undefined', at(30 * DAY), {
    config: () => ({ callbacks: { session: () => undefined } }),
  }),
  stored('in client mode', at(30 * DAY), { client: true }),
  stored('getSessionAndUser throws', at(30 * DAY), { changes: { getSessionAndUser: fail } }),
  stored('updateSession throws', at(28 * DAY), { changes: { updateSession: fail } }),
  stored('deleteSession throws', at(-1000), { changes: { deleteSession: fail } }),
  stored('the cookie holds a JWT', at(30 * DAY), { cookies: {}, session: ANNS_CLAIMS }),
  stored('adapter of a class', at(30 * DAY), {
    config: (_library, recorder) => ({
      adapter: Object.create(adapterWith(recorder, at(30 * DAY))) as Adapter,
    }),
  }),

  stored('update', at(30 * DAY), { json: { data: { a: 1 } }, config: withCallback }),
  stored('update without data', at(30 * DAY), { json: {}, config: withCallback }),
  stored('update, due', at(28 * DAY), { json: { data: 1 }, config: withCallback }),
  stored('update, expired', at(-1000), { json: { data: 1 }, config: withCallback }),
  stored('update without CSRF token', at(30 * DAY), { json: {}, csrf: 'none' }),
  stored('update, the callback throws', at(30 * DAY), {
    json: {},
    config: () => ({ callbacks: { session: fail } }),
  }),
  stored('update, getSessionAndUser throws', at(30 * DAY), {
    json: {},
    changes: { getSessionAndUser: fail },
  }),

  stored('sign-out', at(30 * DAY), { path: '/signout', form: {} }),
  stored('sign-out, unknown', null, { path: '/signout', form: {} }),
  stored('sign-out, deleteSession answers nothing', at(30 * DAY), {
    path: '/signout',
    form: {},
    changes: { deleteSession: () => undefined },
  }),
  stored('sign-out, deleteSession throws', at(30 * DAY), {
    path: '/signout',
    form: {},
    changes: { deleteSession: fail },
  }),
  stored('sign-out without CSRF token', at(30 * DAY), { path: '/signout', form: {}, csrf: 'none' }),

  stored('sign-in with credentials', null, {
    path: '/callback/credentials',
    form: {},
    cookies: {},
  }),
  stored('sign-in with credentials, JWT sessions', null, {
    path: '/callback/credentials',
    form: {},
    cookies: {},
    config: (_library, { spy }) => ({
      session: { strategy: 'jwt' },
      callbacks: { jwt: spy('callbacks.jwt', ({ token }) => token) },
    }),
  }),
  stored('sign-in with credentials, createSession throws', null, {
    path: '/callback/credentials',
    form: {},
    cookies: {},
    changes: { createSession: fail },
  }),
  stored('only credentials, explicitly database', null, {
    config: ({ Credentials }) => ({
      session: { strategy: 'database' },
      providers: [Credentials({ authorize: () => null })],
    }),
  }),
  stored('only credentials, with an adapter', at(30 * DAY), {
    config: ({ Credentials }) => ({ providers: [Credentials({ authorize: () => null })] }),
  }),
  stored('JWT sessions beside an adapter', null, {
    cookies: {},
    session: ANNS_CLAIMS,
    config: () => ({ session: { strategy: 'jwt' } }),
  }),
]
