import { expect, it, vi } from 'vitest'
import { at } from '../revocation/network.ts'
import { createSite, isIn } from '../sessions/site.ts'

it('ending all others reaches a session that was signed in over at a server two hours behind', async () => {
  const site = await createSite('jwt', { track: true })
  // The list goes by the clock of the store.
  vi.useFakeTimers({ toFake: ['Date'], now: site.clock.now })
  try {
    const now = () => site.clock.now - 7_200_000
    const behind = site.node({ ports: { now, fetch: site.openId.fetch } })
    const ann = await site.signedIn()
    const thief = at(site.auth, ann)
    const again = at(behind, ann)
    await site.ways.password(again)
    expect(await isIn(thief)).toBe(true)
    await at(site.auth, again).postJson('/sessions/end', { others: true })
    expect([await isIn(at(site.auth, again)), await isIn(thief)]).toEqual([true, false])
  } finally {
    vi.useRealTimers()
  }
})
