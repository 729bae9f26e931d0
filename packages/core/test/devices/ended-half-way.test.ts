import { expect, it } from 'vitest'
import { at } from '../revocation/network.ts'
import { COOKIE, createSite, isIn } from '../sessions/site.ts'

/** A store whose deletions and reads of sessions fail once, at the call of that number. */
async function begin(failing: number, session: object) {
  const site = await createSite('database', session)
  const { store } = site
  const state = { calls: Infinity }
  const count = () => {
    state.calls += 1
    if (state.calls === failing) throw new Error('connection refused')
  }
  const auth = site.node({
    store: {
      ...store,
      async deleteSession(token: string) {
        count()
        return (await store.deleteSession(token)) ?? null
      },
      async getSessionAndUser(token: string) {
        count()
        return store.getSessionAndUser(token)
      },
    },
  })
  const owner = await site.signedIn({}, auth)
  const earlier = at(auth, owner)
  site.clock.now += 1000
  const request = { headers: { cookie: owner.cookieHeader() }, url: 'https://app.example.com/' }
  await auth.sessions.rotate(request)
  for (const line of auth.takeSetCookies(request)) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    owner.cookies.set(name, value)
  }
  expect(earlier.cookies.get(COOKIE)).not.toBe(owner.cookies.get(COOKIE))
  state.calls = 0
  return { owner, copy: at(auth, owner), earlier, state }
}

it.each([{}, { hashTokens: true }])(
  'A sign-out that fails half way leaves no earlier token valid that the session has not any more %o',
  async session => {
    let failing = 0
    for (let isFailing = true; isFailing; ) {
      failing += 1
      const { owner, copy, earlier, state } = await begin(failing, session)
      await owner.post('/signout')
      isFailing = state.calls >= failing
      state.calls = Infinity
      if (!(await isIn(copy))) expect(await isIn(earlier), `call ${failing} failed`).toBe(false)
    }
    expect(failing).toBeGreaterThan(4)
  },
)
