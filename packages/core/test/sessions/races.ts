import { type AuthInstance, createAuth } from '@siteauth/core'
import type { Adapter } from '@siteauth/core/adapters'
import type { CompleteAdapter } from '../../../adapters/src/memory.ts'
import { at } from '../revocation/network.ts'
import { createShuffler } from '../shuffle.ts'
import { readWithoutRenewal, rotate, SECRET, Visitor } from '../visitor.ts'
import { COOKIE, DAY, SECOND } from './site.ts'

// The same as for sessions in cookies: whatever else is under way while somebody signs out, at whichever
// server, afterwards nobody is signed in with anything that came of that session.

/** What an adapter offers: all that ours do, or what Auth.js asks for. */
export const SHAPES = ['ours', 'published'] as const

const BESIDE: readonly ((visitor: Visitor, auth: AuthInstance) => Promise<unknown>)[] = [
  visitor => visitor.get('/session'),
  visitor => visitor.postJson('/session', { data: { name: 'Eve' } }),
  visitor => visitor.post('/signout'),
]

/** Not while rows are being hashed: see decision 025 for what three at once can do then. */
const ROTATING: typeof BESIDE = [
  (visitor, auth) => rotate(auth, visitor),
  (visitor, auth) => rotate(auth, visitor),
]

interface RowRace {
  readonly adapter: CompleteAdapter
  readonly shape: (typeof SHAPES)[number]
  readonly hashTokens: boolean | 'migrate'
}

/** Which of the cookies that were there in the end still sign somebody in. */
export async function rowSurvivors(
  seed: number,
  { adapter, shape, hashTokens }: RowRace,
): Promise<string[]> {
  const { random, pick, inTurn, run } = createShuffler(seed)
  const clock = { now: Date.now() }
  const user = await adapter.createUser({
    id: crypto.randomUUID(),
    name: 'Ann',
    email: `${crypto.randomUUID()}@example.test`,
    emailVerified: null,
  })
  const createServer = (mode: RowRace['hashTokens']) =>
    createAuth(
      {
        secret: SECRET,
        adapter: shuffled(adapter, shape, inTurn),
        logger: { error() {}, warn() {} },
        session: { strategy: 'database', hashTokens: mode },
        providers: [
          {
            id: 'password',
            name: 'Password',
            type: 'credentials',
            credentials: {},
            authorize: () => adapter.getUser(user.id),
          },
        ],
        ports: { now: () => clock.now },
      },
      { env: { NODE_ENV: 'test', AUTH_URL: 'https://app.example.com/auth' } },
    )
  const servers = [createServer(hashTokens), createServer(hashTokens)]
  // With 'migrate', the session is one that was stored before.
  const ann = new Visitor(createServer(hashTokens === 'migrate' ? false : hashTokens).handle)
  await ann.post('/callback/password')
  clock.now += pick([SECOND, 2 * DAY])
  const before = ann.cookies.get(COOKIE)
  const tabs = Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
    const auth = pick(servers)
    const visitor = at(auth, ann)
    const act = pick(hashTokens === 'migrate' ? BESIDE : [...BESIDE, ...ROTATING])
    return { visitor, act: () => act(visitor, auth) }
  })
  const leaving = at(pick(servers), ann)
  await run([() => leaving.post('/signout'), ...tabs.map(({ act }) => act)])

  const tokens = [before, ...tabs.map(({ visitor }) => visitor.cookies.get(COOKIE))]
  const alive: string[] = []
  for (const token of new Set(tokens)) {
    for (const auth of servers) {
      const headers = { cookie: `${COOKIE}=${token}` }
      const request = { headers, url: 'https://app.example.com/' }
      const session = await readWithoutRenewal(auth, request)
      if (session) alive.push(token === before ? 'the cookie' : 'a new cookie')
    }
  }
  return alive
}

/** What is asked of a store waits for its turn, and so does its answer. */
function shuffled(
  adapter: CompleteAdapter,
  shape: RowRace['shape'],
  inTurn: ReturnType<typeof createShuffler>['inTurn'],
): Adapter {
  const { createSession, getSessionAndUser, getAndRenewSession, updateSession, deleteSession } =
    adapter
  const { getAndRenewSession: _, listSessions: __, deleteOtherSessions: ___, ...plain } = adapter
  const answered = async <T>(ask: () => T | PromiseLike<T>): Promise<T> => {
    const answer = await inTurn(ask)
    return inTurn(() => answer)
  }
  return {
    ...(shape === 'ours' ? adapter : plain),
    createSession: session => answered(() => createSession(session)),
    getSessionAndUser: token => answered(() => getSessionAndUser(token)),
    updateSession: changes => answered(() => updateSession(changes)),
    deleteSession: async token => {
      const deleted = await answered(() => deleteSession(token))
      return shape === 'ours' ? (deleted ?? null) : null
    },
    ...(shape === 'ours' && {
      getAndRenewSession: (token, renewal) => answered(() => getAndRenewSession(token, renewal)),
    }),
  }
}
