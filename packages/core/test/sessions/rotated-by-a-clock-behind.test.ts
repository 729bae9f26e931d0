import { describe, expect, it } from 'vitest'
import { at } from '../revocation/network.ts'
import { createSite, isIn, rotated, STRATEGIES } from './site.ts'

describe.each(STRATEGIES)('a %s session', strategy => {
  it.each([
    ['signing out', '/signout'],
    ['signing in over it', '/callback/password'],
  ])('%s ends a session that a server two minutes behind rotated a second ago', async (_, path) => {
    const site = await createSite(strategy)
    const behind = site.node({
      ports: { now: () => site.clock.now - 120_000, fetch: site.openId.fetch },
    })
    const visitor = await site.signedIn()
    const next = await rotated(behind, visitor)
    expect(next).not.toBeNull()
    site.clock.now += 1000
    await at(site.auth, visitor).post(path)
    site.clock.now += 600_000
    expect(next && (await isIn(next))).toBe(false)
  })

  it('is not ended by a token that was replaced three minutes ago', async () => {
    const site = await createSite(strategy)
    const visitor = await site.signedIn()
    const next = await rotated(site.auth, visitor)
    site.clock.now += 180_000
    await at(site.auth, visitor).post('/signout')
    expect(next && (await isIn(next))).toBe(true)
  })
})
