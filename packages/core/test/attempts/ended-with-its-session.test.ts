import { expect, it } from 'vitest'
import { createSite, isIn, once, STRATEGIES } from '../sessions/site.ts'

it.each(STRATEGIES)(
  'a passkey that is added while all other sessions are ended leaves one session (%s)',
  async strategy => {
    const endOthers = once(() => owner.postJson('/sessions/end', { others: true }))
    const site = await createSite(strategy, { track: true }, { events: { linkAccount: endOthers } })
    const owner = await site.signedIn()
    const thief = await site.signedIn()
    await site.addPasskey(thief)
    expect([await isIn(owner), await isIn(thief)]).toEqual([true, false])
  },
)
