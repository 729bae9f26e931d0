import { expect, it } from 'vitest'
import { at } from '../revocation/network.ts'
import { COOKIE, createSite, isIn, SECOND, STRATEGIES } from '../sessions/site.ts'

it.each(STRATEGIES)(
  'signing in again ends the earlier session of the browser behind a planted one (%s)',
  async strategy => {
    const site = await createSite(strategy)
    await site.store.createUser({ id: 'eve', email: 'eve@example.test', emailVerified: null })
    const ann = await site.signedIn()
    const thief = at(site.auth, ann)
    const eve = await site.signedIn({ who: 'eve' })
    const body = new URLSearchParams({ csrfToken: await ann.csrfToken() })
    const cookie = `${COOKIE}=${eve.cookies.get(COOKIE)}; ${ann.cookieHeader()}`
    const origin = 'https://app.example.com'
    const signIn = new Request(`${origin}/auth/callback/password`, {
      method: 'POST',
      headers: { cookie, origin },
      body,
    })
    const { headers } = await site.auth.handle(signIn)
    expect(headers.getSetCookie().join()).toContain(`${COOKIE}=`)
    site.clock.now += 60 * SECOND
    expect([await isIn(thief), await isIn(eve)]).toEqual([false, false])
  },
)
