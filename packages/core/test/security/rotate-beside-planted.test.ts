import { expect, it } from 'vitest'
import { at } from '../revocation/network.ts'
import { COOKIE, createSite, isIn, STRATEGIES } from '../sessions/site.ts'

const EVE = { id: 'eve', name: 'Eve', email: 'eve@example.test', emailVerified: null }

it.each(STRATEGIES)(
  'a planted cookie in front is not rotated over the session of the browser (%s)',
  async strategy => {
    const site = await createSite(strategy)
    await site.store.createUser(EVE)
    const ann = await site.signedIn()
    const eve = await site.signedIn({ who: 'eve' })
    const cookie = `${COOKIE}=${eve.cookies.get(COOKIE)}; ${ann.cookieHeader()}`
    const request = { headers: { cookie }, url: 'https://app.example.com/settings' }
    await site.auth.sessions.rotate(request)
    expect(site.auth.takeSetCookies(request).filter(line => line.startsWith(COOKIE))).toEqual([])
    site.clock.now += 60_000
    expect([await isIn(ann), await isIn(eve)]).toEqual([true, true])
  },
)

it('a renewal of a planted whole cookie leaves a session in parts alone', async () => {
  const site = await createSite('jwt')
  const big = 'x'.repeat(5000)
  const auth = site.node({
    callbacks: { jwt: ({ token, user }) => (user?.id === 'ann' ? { ...token, big } : token) },
  })
  await site.store.createUser(EVE)
  const ann = await site.signedIn({}, auth)
  const eve = await site.signedIn({ who: 'eve' }, auth)
  expect([...ann.cookies.keys()]).toContain(`${COOKIE}.1`)
  site.clock.now += 2 * 86_400_000
  const cookie = `${COOKIE}=${eve.cookies.get(COOKIE)}; ${ann.cookieHeader()}`
  const response = await auth.handle(
    new Request('https://app.example.com/auth/session', { headers: { cookie } }),
  )
  expect(response.headers.getSetCookie().filter(line => line.startsWith(COOKIE))).toEqual([])
})

it.each(STRATEGIES)(
  'ending all others reaches a session that was signed in over a moment ago (%s)',
  async strategy => {
    const site = await createSite(strategy, { track: true })
    const ann = await site.signedIn()
    const thief = at(site.auth, ann)
    await site.ways.password(ann)
    expect(await isIn(thief)).toBe(true)
    await ann.postJson('/sessions/end', { others: true })
    expect([await isIn(ann), await isIn(thief)]).toEqual([true, false])
  },
)
