import { expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { createTestAuth, Visitor } from '../visitor.ts'

const COOKIE = '__Secure-authjs.session-token'

// parts planted so that the position of the real part differs from name to name. No way of putting parts together that
// sign-out tries is the real one, so the session is not ended.
it('planted parts do not keep a session in parts from being ended by signing out', async () => {
  const store = MemoryAdapter()
  await store.createUser({ id: 'ann', name: 'Ann', email: 'ann@a.test', emailVerified: new Date() })
  const auth = createTestAuth({
    adapter: store,
    session: { strategy: 'jwt', revocation: { pollSeconds: 0.001 } },
    callbacks: { jwt: ({ token }) => ({ ...token, permissions: 'x'.repeat(4000) }) },
    providers: [
      {
        id: 'password',
        name: 'Password',
        type: 'credentials',
        credentials: {},
        authorize: () => store.getUser('ann'),
      },
    ],
  })
  const ann = new Visitor(auth.handle)
  await ann.post('/callback/password')
  const [first, second] = [ann.cookies.get(`${COOKIE}.0`), ann.cookies.get(`${COOKIE}.1`)]
  expect(first).toBeDefined()
  expect(second).toBeDefined()
  const copy = new Visitor(auth.handle)
  for (const [name, value] of ann.cookies) copy.cookies.set(name, value)
  expect(await copy.session()).not.toBeNull()

  const own = () => [...ann.cookies].filter(([name]) => !name.startsWith(COOKIE))
  ann.cookieHeader = () =>
    [
      ...own().map(pair => pair.join('=')),
      // Of narrower paths: these come first.
      `${COOKIE}.0=a`,
      `${COOKIE}.1=b`,
      `${COOKIE}.1=c`,
      `${COOKIE}.0=${first}`,
      `${COOKIE}.1=${second}`,
      // Of the same path, set later.
      `${COOKIE}.0=d`,
    ].join('; ')
  const answer = await ann.post('/signout')
  expect(answer.headers.get('location')).not.toContain('error')
  await new Promise(resolve => setTimeout(resolve, 10))
  expect(await copy.session()).toBeNull()
})
