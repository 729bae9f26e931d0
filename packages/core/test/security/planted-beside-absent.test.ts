import { expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { createTestAuth, Visitor } from '../visitor.ts'

const COOKIE = '__Secure-authjs.session-token'
const HOUR = 3_600_000

async function setUp(config: object, strategy: 'jwt' | 'database' = 'jwt') {
  const store = MemoryAdapter()
  for (const id of ['ann', 'mallory']) {
    await store.createUser({ id, name: id, email: `${id}@a.test`, emailVerified: new Date() })
    await store.linkAccount({ userId: id, type: 'oidc', provider: 'op', providerAccountId: id })
  }
  let time = Date.now()
  const banned = new Set<string>()
  let claims: object = {}
  const auth = createTestAuth({
    adapter: store,
    providers: [
      {
        id: 'password',
        name: 'Password',
        type: 'credentials',
        credentials: {},
        authorize: ({ id }) => store.getUser(String(id)),
      },
    ],
    ports: { now: () => time },
    ...config,
    session: {
      strategy,
      ...(strategy === 'jwt' && { track: true }),
      ...(config as { session?: object }).session,
    },
    callbacks: {
      jwt: ({ token }) => (banned.has(String(token.sub)) ? null : { ...token, ...claims }),
    },
  })
  const signIn = async (id: string) => {
    const visitor = new Visitor(auth.handle)
    await visitor.post('/callback/password', { id })
    return visitor
  }
  const mallory = await signIn('mallory')
  const ann = await signIn('ann')
  const own = () => [...ann.cookies].map(pair => pair.join('=')).join('; ')
  const plant = () => {
    const planted = `${COOKIE}=${mallory.cookies.get(COOKIE)}`
    ann.cookieHeader = () => `${planted}; ${own()}`
  }
  const pass = (milliseconds: number) => {
    time += milliseconds
  }
  const change = (changed: object) => {
    claims = changed
  }
  return { auth, ann, mallory, plant, banned, pass, change }
}

/** Who reads say it is, and who calls say it is. */
async function whoIs(auth: Awaited<ReturnType<typeof setUp>>['auth'], ann: Visitor) {
  const read = (await ann.session()) as { user?: { name?: string } } | null
  const request = { headers: { cookie: ann.cookieHeader() }, url: 'https://app.example.com/' }
  const list = await auth.sessions.list(request)
  return { read: read?.user?.name ?? null, calls: list.length > 0 ? 'somebody' : null }
}

// a planted session that was revoked (the attacker signs out of it himself). With `check: 'on-renewal'`, a read asks
// the store about it once its token is due, finds it revoked, and shows the victim; calls still count the planted one.
for (const check of ['on-renewal', 'always'] as const) {
  it(`a planted session that was revoked, due: ${check}`, async () => {
    const { auth, ann, mallory, plant, pass } = await setUp({
      session: { revocation: { check, pollSeconds: 0.001 } },
    })
    const token = mallory.cookies.get(COOKIE) as string
    await mallory.post('/signout', {})
    mallory.cookies.set(COOKIE, token)
    plant()
    pass(30 * HOUR)
    const { read, calls } = await whoIs(auth, ann)
    expect(calls === null).toBe(read === null)
  })
  it(`a planted session of somebody who is banned: ${check}`, async () => {
    const { auth, ann, plant, banned } = await setUp({
      session: { revocation: { check, pollSeconds: 0.001 } },
    })
    plant()
    banned.add('mallory')
    const first = await whoIs(auth, ann)
    const second = await whoIs(auth, ann)
    expect([first, second].map(({ read, calls }) => `${read} ${calls}`)).toEqual([
      'ann somebody',
      'ann somebody',
    ])
  })
}
it('a planted session of somebody who is banned: without a log', async () => {
  const { auth, ann, plant, banned } = await setUp({ session: { revocation: false, track: false } })
  plant()
  banned.add('mallory')
  const read = (await ann.session()) as { user?: { name?: string } } | null
  const request = { headers: { cookie: ann.cookieHeader() }, url: 'https://app.example.com/' }
  const accounts = await auth.accounts.list(request).catch(e => String(e))
  const onEnd = await new Promise(resolve => {
    void auth.sessions.onEnd?.(request, resolve)
    setTimeout(() => resolve('alive'), 50)
  })
  expect({ read: read?.user?.name, accounts, onEnd }).toEqual({
    read: 'ann',
    accounts: [],
    onEnd: 'alive',
  })
})

it('sessions of nobody, each beside another: there is no user', async () => {
  const { auth, ann, plant, banned } = await setUp({})
  plant()
  banned.add('mallory').add('ann')
  expect(await whoIs(auth, ann)).toEqual({ read: null, calls: null })
})

it('a session behind a planted one of nobody gets no token for claims that have changed: its cookie would be the planted one', async () => {
  const { auth, ann, plant, banned, change } = await setUp({})
  plant()
  banned.add('mallory')
  change({ role: 'editor' })
  const request = new Request('https://app.example.com/', {
    headers: { cookie: ann.cookieHeader() },
  })
  expect(await auth.sessions.list(request)).not.toEqual([])
  expect(auth.takeSetCookies(request).filter(line => line.startsWith(COOKIE))).toEqual([])
})
