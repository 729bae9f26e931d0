import { expect, it } from 'vitest'
import { at } from '../revocation/network.ts'
import { createSite, DAY, isIn } from './site.ts'

it.each(['jwt', 'database'] as const)(
  'a session that a call has found to be over stays over if absoluteAge is raised again (%s)',
  async strategy => {
    const site = await createSite(strategy, {
      absoluteAge: (30 * DAY) / 1000,
      maxAge: (30 * DAY) / 1000,
      ...(strategy === 'jwt' && { track: true }),
    })
    const shorter = site.node({ session: { absoluteAge: DAY / 1000 } })
    const visitor = await site.signedIn()
    site.clock.now += 2 * DAY
    const list = await at(shorter, visitor).get('/sessions')
    expect(await list.json()).toEqual([])
    expect(await isIn(visitor)).toBe(false)
  },
)

it.each(['jwt', 'database'] as const)(
  'a session that is only used by calls ends by a shorter maxAge (%s)',
  async strategy => {
    const site = await createSite(strategy, {
      maxAge: (30 * DAY) / 1000,
      ...(strategy === 'jwt' && { track: true }),
    })
    const shorter = site.node({ session: { maxAge: 3600 } })
    const visitor = await site.signedIn()
    site.clock.now += 1000
    await at(shorter, visitor).get('/sessions')
    site.clock.now += 3 * DAY
    const list = (await (await at(shorter, visitor).get('/sessions')).json()) as unknown[]
    expect(list).toEqual([])
  },
)
