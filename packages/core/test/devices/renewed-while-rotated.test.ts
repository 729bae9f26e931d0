import { expect, it } from 'vitest'
import { at } from '../revocation/network.ts'
import { COOKIE, createSite, DAY, isIn, once, SECOND } from '../sessions/site.ts'
import { rotate, type Visitor } from '../visitor.ts'

const RENEWALS = {
  'is renewed': (browser: Visitor) => browser.get('/session'),
  'is updated': (browser: Visitor) => browser.postJson('/session', { data: {} }),
}

// The answer that comes last decides which cookie the browser keeps.
it.each(Object.entries(RENEWALS))(
  'a session that is rotated while it %s keeps the cookie of the rotation',
  async (_, renew) => {
    const site = await createSite('jwt', { track: true })
    const browser = await site.signedIn()
    site.clock.now += 2 * DAY
    const { trackedSessions } = site.store
    const rotateMeanwhile = once(() => rotate(site.auth, browser))
    const slow = site.node({
      store: {
        ...site.store,
        trackedSessions: {
          ...trackedSessions,
          async renew(session) {
            await rotateMeanwhile()
            return trackedSessions.renew(session)
          },
        },
      },
    })
    const first = browser.cookies.get(COOKIE)
    const other = at(slow, browser)
    const answer = await renew(other)
    expect(browser.cookies.get(COOKIE)).not.toBe(first)
    expect(answer.headers.getSetCookie().filter(line => line.startsWith(COOKIE))).toEqual([])
    site.clock.now += 60 * SECOND
    expect(await isIn(browser)).toBe(true)
  },
)
