import { expect, it } from 'vitest'
import { COOKIE, createSite, isIn, STRATEGIES } from '../sessions/site.ts'

const EVE = { id: 'eve', name: 'Eve', email: 'eve@example.test', emailVerified: null }

it.each(STRATEGIES)(
  'a planted cookie in front is not set over the session of the browser by a change of its session (%s)',
  async strategy => {
    const site = await createSite(strategy, { updateAge: 0 })
    await site.store.createUser(EVE)
    const ann = await site.signedIn()
    const eve = await site.signedIn({ who: 'eve' })
    site.clock.now += 60_000
    const cookie = `${COOKIE}=${eve.cookies.get(COOKIE)}; ${ann.cookieHeader()}`
    const request = { headers: { cookie }, url: 'https://app.example.com/settings' }
    await site.auth.update(request, { theme: 'dark' })
    expect(site.auth.takeSetCookies(request).filter(line => line.startsWith(COOKIE))).toEqual([])
    expect([await isIn(ann), await isIn(eve)]).toEqual([true, true])
  },
)
