import { describe, expect, it } from 'vitest'
import { ANN, PASSWORDS } from '../principal/world.ts'
import type { Visitor } from '../visitor.ts'
import { createSite, type Site } from './site.ts'
import { WAYS } from './ways.ts'

// A thief has Ann's session. While the thief adds or changes a way to sign in, Ann ends all sessions but hers.

const WAYS_WITHIN_A_SESSION = Object.entries(WAYS).filter(([, { isSignedIn }]) => isSignedIn)
const CALLS = Array.from({ length: 40 }, (_, index) => index + 1)
const STRATEGIES = ['jwt', 'database'] as const

/** Where Ann is signed in. The other browser of the world has not signed in yet. */
async function signIn(visitor: Visitor): Promise<Visitor> {
  await visitor.post('/signin/password', { email: ANN.email, password: PASSWORDS.ann })
  return visitor
}

async function isIn(visitor: Visitor): Promise<boolean> {
  return (await visitor.session()) !== null
}

async function hasPassword({ visitor }: Site, password: string): Promise<boolean> {
  const other = visitor()
  await other.post('/signin/password', { email: ANN.email, password })
  return isIn(other)
}

/**
 * Describes what becomes of the thief if Ann ends the sessions before a call of the store.
 *
 * @param step 1 for every call, 2 for every second one: the odd ones with one strategy, and the even ones with the other
 */
export function describeEndings(step: 1 | 2): void {
  describe.each(STRATEGIES)('with sessions of the strategy %s', strategy => {
    it.each(WAYS_WITHIN_A_SESSION)('%s ends with the session of its user', async (_, way) => {
      let hits = 0
      const turn = STRATEGIES.indexOf(strategy)
      for (const at of CALLS.filter(call => (call + turn) % step === 0)) {
        const site = await createSite(strategy)
        const owner = await signIn(site.world.other)
        const thief = await site.signedIn()
        const finish = await way.begin(site, thief)
        const endOthers = () => owner.postJson('/sessions/end', { others: true })
        const { hit, calls } = await site.store.during({ at, fault: endOthers }, finish)
        if (hit === undefined) break
        hits++
        const isChanged = calls.slice(0, at - 1).includes('passwords.set')
        const isOwnerIn = await isIn(owner)
        // A password that was changed first has ended Ann's session, and not the other way round.
        if (!isChanged) expect([at, isOwnerIn]).toEqual([at, true])
        expect([at, await isIn(thief)]).toEqual([at, !isOwnerIn])
        if (isOwnerIn && way.takesPassword)
          expect(await hasPassword(site, PASSWORDS.ann)).toBe(true)
      }
      expect(hits).toBeGreaterThan(10 / step)
    })
  })
}
