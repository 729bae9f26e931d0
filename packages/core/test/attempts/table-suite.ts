import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { PASSWORDS } from '../principal/world.ts'
import type { Visitor } from '../visitor.ts'
import {
  createSite,
  hasSessionOfAnn,
  type Site,
  type Strategy,
  type WaysIn,
  waysIn,
} from './site.ts'
import { type LastRequest, WAYS, type Way } from './ways.ts'

// An attempt to sign in ends if all sessions of its user are revoked at or after its start, and only then: for every way to sign
// in, with both strategies, at every moment.

interface Revocation {
  /** Revokes all sessions of Ann, in another process. */
  readonly revoke: (site: Site) => Promise<unknown>
  /** Whether Ann is there afterwards, and has the password that she had. */
  readonly leaves: { readonly user: boolean; readonly password: boolean }
}

const REVOCATIONS = {
  'users.endSessions': {
    revoke: ({ world: { auth, annId } }) => auth.users.endSessions(annId),
    leaves: { user: true, password: true },
  },
  'users.revokeAccess': {
    revoke: ({ world: { auth, annId } }) => auth.users.revokeAccess(annId),
    leaves: { user: true, password: true },
  },
  deleteUser: {
    revoke: async ({ world: { store, annId } }) => store.deleteUser(annId),
    leaves: { user: false, password: false },
  },
  'a change of the password': {
    async revoke({ world: { other } }) {
      await other.post('/callback/credentials', { who: 'ann' })
      await other.post('/password', {
        currentPassword: PASSWORDS.ann,
        newPassword: PASSWORDS.third,
      })
    },
    leaves: { user: true, password: false },
  },
} as const satisfies Readonly<Record<string, Revocation>>

type RevocationName = keyof typeof REVOCATIONS

const NAMES = Object.keys(REVOCATIONS) as RevocationName[]

/** At every call of the store, these are tried. The others do the same, and more. */
const SWEPT: readonly RevocationName[] = [
  'users.endSessions',
  'deleteUser',
  'a change of the password',
]

/** As far as id_tokens are accepted, in milliseconds. */
const SKEWS = [-5_000, 5_000]

const STRATEGIES: readonly Strategy[] = ['jwt', 'database']

/** How many of the revocations are tried before each call of the store: all of them, or one, another one for each call. */
export type Extent = 'all' | 'one'

/** Describes the table. */
export function describeTable(extent: Extent): void {
  describe.each(STRATEGIES)('sessions of strategy %s', strategy => {
    describe.each(Object.entries(WAYS))('%s', (wayName, way) => {
      const isPossible = (name: RevocationName) =>
        !(way.hasNoPassword && name === 'a change of the password')

      it.each([0, ...SKEWS])(
        'gets a session after a revocation, on a server whose clock is %d ms ahead',
        async skew => {
          const site = await createSite(strategy, skew)
          await REVOCATIONS['users.endSessions'].revoke(site)
          const { browser, last } = await begin(site, way)
          await last()
          expect(await hasSessionOfAnn(site, browser)).toBe(true)
        },
      )

      it.each(SKEWS)(
        'gets none if the user is revoked once it has started, on a server whose clock is %d ms ahead',
        async skew => {
          const site = await createSite(strategy, skew)
          const { browser, last } = await begin(site, way)
          await REVOCATIONS['users.endSessions'].revoke(site)
          await last()
          expect(await hasSessionOfAnn(site, browser)).toBe(!hasStarted(way))
        },
      )

      it.each(NAMES.filter(isPossible))('before the last request: %s', async name => {
        const site = await createSite(strategy)
        const { browser, last } = await begin(site, way)
        const { revoke, leaves } = REVOCATIONS[name]
        await revoke(site)
        const before = await waysIn(site)
        await last()
        const canStart = leaves.user && (leaves.password || !way.takesPassword)
        const isIssued = !hasStarted(way) && canStart
        expect(await hasSessionOfAnn(site, browser)).toBe(isIssued)
        expect(await waysIn(site)).toEqual(before)
      })

      // The two strategies and the ways begin with different ones.
      const offset = STRATEGIES.indexOf(strategy) + Object.keys(WAYS).indexOf(wayName)
      const swept = SWEPT.filter(isPossible)
      const sweeps = extent === 'all' ? swept.map(each => [each]) : [swept]
      it.each(sweeps.map(names => ({ names, title: names.join(' or ') })))(
        'at each call of the store during the last request: $title',
        async ({ names }) => {
          const issued: string[] = []
          const changed: string[] = []
          const moments = await callsOf(strategy, way)
          // An attempt that starts with this request reads the log, and then the time of its start, before anything else.
          const reads = moments.findIndex(each => each !== 'revocations.since')
          const first = way.startsWith === 'last request' ? reads + 1 : 1
          if (way.startsWith === 'last request') expect([1, 2]).toContain(reads)
          for (let at = first; at <= moments.length; at++) {
            const name = names[(at + offset) % names.length] as RevocationName // there are as many
            const moment = `${name} before call ${at}, ${moments[at - 1]}`
            const { hasSession, hasChanged } = await interrupt(strategy, way, name, at)
            if (hasSession) issued.push(moment)
            if (hasChanged) changed.push(moment)
          }
          expect({ issued, changed }).toEqual({ issued: [], changed: [] })
        },
      )

      it.each(['users.endSessions', 'users.revokeAccess', 'deleteUser'] as const)(
        'after the last request: %s',
        async name => {
          const site = await createSite(strategy)
          const { browser, last } = await begin(site, way)
          await last()
          expect(await hasSessionOfAnn(site, browser)).toBe(true)
          await REVOCATIONS[name].revoke(site)
          expect(await hasSessionOfAnn(site, browser)).toBe(false)
        },
      )
    })
  })
}

async function begin(
  site: Site,
  way: Way,
): Promise<{ readonly browser: Visitor; readonly last: LastRequest }> {
  const browser = way.isSignedIn ? await site.signedIn() : site.visitor()
  return { browser, last: await way.begin(site, browser) }
}

/** Whether a revocation before the last request comes after the start, or ends the session that the request needs. */
function hasStarted({ startsWith, isSignedIn }: Way): boolean {
  return startsWith === 'issue' || isSignedIn === true
}

/** The calls of the store during the last request. */
async function callsOf(strategy: Strategy, way: Way): Promise<readonly string[]> {
  const site = await createSite(strategy)
  const { browser, last } = await begin(site, way)
  const { calls } = await site.store.during(null, last)
  expect(await hasSessionOfAnn(site, browser)).toBe(true)
  return calls
}

/** Revokes the sessions of Ann right before a call of the store during the last request. */
async function interrupt(strategy: Strategy, way: Way, name: RevocationName, at: number) {
  const site = await createSite(strategy)
  const { browser, last } = await begin(site, way)
  const { revoke, leaves } = REVOCATIONS[name]
  const before = await waysIn(site)
  let [earlier, revoked] = [before, before]
  const fault = async () => {
    earlier = await waysIn(site)
    await revoke(site)
    revoked = await waysIn(site)
  }
  const { hit } = await site.store.during({ at, fault }, last)
  expect(hit).toBe('meanwhile')
  // If the attempt has replaced the password by then, the owner cannot, and revokes nothing.
  if (!leaves.password && revoked.password === earlier.password) {
    return { hasSession: false, hasChanged: false }
  }
  const after = await waysIn(site)
  // From then on, an attempt only takes back what it has added.
  const allowed = [
    revoked,
    ...(leaves.user ? [withPasswordOf(before, leaves.password ? before : revoked)] : []),
  ]
  return {
    hasSession: await hasSessionOfAnn(site, browser),
    hasChanged: !allowed.some(each => isDeepStrictEqual(after, each)),
  }
}

function withPasswordOf(ways: WaysIn, { password }: WaysIn): WaysIn {
  return { ...ways, password }
}
