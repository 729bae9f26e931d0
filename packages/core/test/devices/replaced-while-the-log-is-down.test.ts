import { expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { at, createLog } from '../revocation/network.ts'
import { COOKIE } from '../sessions/site.ts'
import { createTestAuth, Visitor } from '../visitor.ts'

/** A thief with a copy of Ann's cookie has it rotated while the log takes no writes; the answer brings the next token. */
async function begin() {
  const clock = { now: Date.UTC(2030, 0, 1) }
  const now = () => clock.now
  const store = MemoryAdapter()
  const { log, state } = createLog(now)
  const ann = await store.createUser({
    id: 'ann',
    name: 'Ann',
    email: 'ann@example.test',
    emailVerified: null,
  })
  const auth = createTestAuth(
    {
      adapter: { ...store, revocations: log },
      session: { strategy: 'jwt', track: true },
      providers: [
        { id: 'password', name: 'P', type: 'credentials', credentials: {}, authorize: () => ann },
      ],
      ports: { now },
    },
    { AUTH_URL: 'https://app.example.com/auth' },
  )
  const owner = new Visitor(auth.handle)
  await owner.post('/callback/password')
  const thief = at(auth, owner)
  clock.now += 1000
  state.isReadOnly = true
  const request = { headers: { cookie: thief.cookieHeader() }, url: 'https://app.example.com/' }
  await auth.sessions.rotate(request).catch(() => {})
  state.isReadOnly = false
  for (const line of auth.takeSetCookies(request)) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    thief.cookies.set(name, value)
  }
  expect(thief.cookies.get(COOKIE)).not.toBe(owner.cookies.get(COOKIE))
  clock.now += 1000
  return { clock, auth, owner, thief }
}

it('a session that was signed in over is over, with the token of a rotation that failed', async () => {
  const { clock, owner, thief } = await begin()
  await owner.post('/callback/password')
  clock.now += 3_600_000
  expect(await thief.session()).toBeNull()
})

it('so it is with all others that are ended', async () => {
  const { clock, owner, thief } = await begin()
  await owner.post('/callback/password')
  clock.now += 3_600_000
  await owner.postJson('/sessions/end', { others: true })
  expect(await thief.session()).toBeNull()
})

it('signing out reaches it', async () => {
  const { clock, owner, thief } = await begin()
  await owner.post('/signout')
  clock.now += 3_600_000
  expect(await thief.session()).toBeNull()
})
