import type { AdapterSession } from '@siteauth/core/adapters'
import { expect, it } from 'vitest'
import { at } from '../revocation/network.ts'
import { COOKIE, createSite, isIn } from '../sessions/site.ts'

/** A thief with a copy of Ann's cookie has it rotated while the database deletes nothing. */
async function begin(session: object = {}) {
  const site = await createSite('database', session)
  const state = { fails: false }
  const auth = site.node({
    store: {
      ...site.store,
      async deleteSession(token: string): Promise<AdapterSession | null> {
        if (state.fails) throw new Error('read-only transaction')
        return (await site.store.deleteSession(token)) ?? null
      },
    },
  })
  const owner = await site.signedIn({}, auth)
  const thief = at(auth, owner)
  site.clock.now += 1000
  state.fails = true
  const request = { headers: { cookie: thief.cookieHeader() }, url: 'https://app.example.com/' }
  await auth.sessions.rotate(request).catch(() => {})
  state.fails = false
  for (const line of auth.takeSetCookies(request)) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    thief.cookies.set(name, value)
  }
  expect(thief.cookies.get(COOKIE)).not.toBe(owner.cookies.get(COOKIE))
  return { site, owner, thief }
}

it.each([{}, { hashTokens: true }])('signing in over it, a minute later %o', async session => {
  const { site, owner, thief } = await begin(session)
  site.clock.now += 60_000
  await site.ways.password(owner)
  site.clock.now += 3_600_000
  expect(await isIn(thief)).toBe(false)
})
it.each([{}, { hashTokens: true }])('signing out, a minute later %o', async session => {
  const { site, owner, thief } = await begin(session)
  site.clock.now += 60_000
  await owner.post('/signout')
  expect(await isIn(thief)).toBe(false)
})
it.each([{}, { hashTokens: true }])('ending all others, a minute later %o', async session => {
  const { site, owner, thief } = await begin(session)
  site.clock.now += 60_000
  await owner.postJson('/sessions/end', { others: true })
  expect([await isIn(owner), await isIn(thief)]).toEqual([true, false])
})
