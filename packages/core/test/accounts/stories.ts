import { expect } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { inStatements } from '../schedules/statements.ts'
import { byNumbers, type Clock, inTurn, takeTurns } from '../schedules/turns.ts'
import type { Visitor } from '../visitor.ts'
import { type Action, act, type Pending } from './actions.ts'
import type { Step } from './any-story.ts'
import { openLink, resetPassword, signIn, typeCode } from './steps.ts'
import {
  ADDRESS,
  BROWSERS,
  type BrowserName,
  createWorld,
  hasher,
  PEOPLE,
  type Person,
  personOf,
  SECRETS,
  type Setting,
  userIn,
  type World,
} from './world.ts'

// What two people do in any order, and what has to hold after each step.

/** A minute: every process has looked at the log of revocations by then. */
const LATER = 60_000

/** Runs a story in one process. */
export async function runStory(setting: Setting, actions: readonly Action[]): Promise<void> {
  const world = await createWorld(setting)
  const check = createChecks(world)
  const pending: Pending = { attempts: [], answers: [] }
  for (const action of actions) {
    await check([action], async () => [await act(world, pending, action)])
  }
  for (const who of PEOPLE) await expectWayIn(world, who)
}

/** Runs a story with a process for each browser, over a store that is split into the statements of real ones. */
export async function runConcurrentStory(setting: Setting, steps: readonly Step[]): Promise<void> {
  const clock: Clock = { now: Date.now() }
  const whole = MemoryAdapter()
  const world = await createWorld({ ...setting, servers: BROWSERS.length }, () => clock.now, {
    used: inStatements(whole),
    whole,
  })
  const letTimePass = () => {
    clock.now += LATER
  }
  const check = createChecks(world)
  const pending: Pending = { attempts: [], answers: [] }
  for (const step of steps) {
    const { actions, order } = 'do' in step ? { actions: [step], order: [] } : step
    await check(actions, async () => {
      const acts = actions.map(action => () => act(world, pending, action))
      world.ask = inTurn
      const { results } = await takeTurns(acts, byNumbers(order), clock)
      world.ask = call => call()
      letTimePass()
      return results
    })
  }
  for (const who of PEOPLE) await expectWayIn(world, who, letTimePass)
}

/** Every session there has been, by its cookie, and whose browser it was given to. */
type Sessions = Map<string, Person>

/** Runs actions, and checks what has to hold then. */
function createChecks(world: World) {
  const { browsers } = world
  const sessions: Sessions = new Map()
  const made = new Map<object, number>()
  return async (
    actions: readonly Action[],
    carryOut: () => Promise<readonly (object | undefined)[]>,
  ): Promise<void> => {
    const before = new Map(BROWSERS.map(name => [name, sessionIn(browsers[name])]))
    const proofs = await carryOut()
    for (const [index, action] of actions.entries()) {
      if (!('browser' in action)) continue
      const token = sessionIn(browsers[action.browser])
      if (!token || sessions.has(token)) continue
      const proof = proofs[index] ?? action
      made.set(proof, (made.get(proof) ?? 0) + 1)
      expect(made.get(proof), 'sessions that one proof has made').toBeLessThanOrEqual(1)
    }
    noteSessions(world, sessions)
    await expectNobodyShares(world, sessions)
    for (const action of actions) await expectOthersOut(world, action, before)
  }
}

function noteSessions({ browsers }: World, sessions: Sessions): void {
  for (const name of BROWSERS) {
    const token = sessionIn(browsers[name])
    if (token && !sessions.has(token)) sessions.set(token, personOf(name))
  }
}
function sessionIn({ cookies }: Visitor): string | undefined {
  return cookies.get('__Secure-authjs.session-token')
}

/** A password that was chosen or changed ends every other session that its user had. */
async function expectOthersOut(
  { browsers }: World,
  action: Action,
  before: ReadonlyMap<BrowserName, string | undefined>,
): Promise<void> {
  if (action.do !== 'choose password' && action.do !== 'change password') return
  const token = sessionIn(browsers[action.browser])
  const userId = await userIn(browsers[action.browser])
  if (token === before.get(action.browser) || !userId) return
  for (const name of BROWSERS) {
    // A sign-in that was under way at the same time may have come after the password.
    if (name === action.browser || sessionIn(browsers[name]) !== before.get(name)) continue
    expect(await userIn(browsers[name]), `who is in ${name} after a new password`).not.toBe(userId)
  }
}

/** Who can get into each user at this moment, by anything that is stored or that a browser has. */
async function inhabitants(world: World, sessions: Sessions): Promise<Map<string, Set<Person>>> {
  const { store, devices, passwords, browsers, userIds } = world
  const found = new Map<string, Set<Person>>()
  const add = (userId: string, who: Person) =>
    found.set(userId, new Set([...(found.get(userId) ?? []), who]))
  for (const userId of userIds) {
    for (const { type, providerAccountId } of await store.listAccounts(userId)) {
      if (type !== 'webauthn') add(userId, providerAccountId as Person) // as the providers name them
    }
    for (const { credentialID } of await store.listAuthenticatorsByUserId(userId)) {
      const owner = PEOPLE.find(who =>
        devices[who].keys.some(key => key.id.toString('base64') === credentialID),
      )
      if (owner) add(userId, owner)
    }
    const { hash } = (await store.passwords.get(userId)) ?? {}
    for (const who of PEOPLE) {
      const verdicts = await Promise.all(
        SECRETS[who].map(secret => hasher.verify(secret, hash ?? null)),
      )
      if (verdicts.includes('right')) add(userId, who)
    }
    for (const { sessionToken } of await store.listSessions(userId)) {
      const owner = sessions.get(sessionToken)
      if (owner) add(userId, owner)
    }
  }
  for (const [who, userId] of passwords) add(userId, who)
  for (const name of BROWSERS) {
    const userId = await userIn(browsers[name])
    if (userId) add(userId, personOf(name))
  }
  return found
}

async function expectNobodyShares(world: World, sessions: Sessions): Promise<void> {
  for (const [userId, people] of await inhabitants(world, sessions)) {
    expect([...people], `everybody who can get into ${userId}`).toHaveLength(1)
    const user = await world.store.getUser(userId)
    const prover = PEOPLE.find(who => user?.emailVerified && user.email === ADDRESS[who])
    if (prover) expect([...people], `who is in the user of ${prover}'s address`).toEqual([prover])
  }
}

/** A person who proves an address gets in by it, in a new browser, and nobody else does. */
async function expectWayIn(world: World, who: Person, letTimePass = () => {}): Promise<void> {
  const ways = [
    () => signIn(world, world.newBrowser(), 'vouching', who),
    ...(world.setting.methods === 'ours'
      ? [() => resetPassword(world, world.newBrowser(), who)]
      : []),
    ...(world.setting.email
      ? [
          () => openLink(world, world.newBrowser(), who),
          () => typeCode(world, world.newBrowser(), who),
        ]
      : []),
  ]
  for (const way of ways) {
    // A log that failed lately is not asked when an attempt starts, so a recent revocation ends the first.
    const userId = (await way()) ?? (await way())
    expect(userId, `${who} gets in`).not.toBeNull()
    letTimePass()
    const found = await inhabitants(world, new Map())
    expect([...(found.get(userId ?? '') ?? [who])]).toEqual([who])
  }
  // One that may not link says so where the same person has proved the address otherwise.
  if (!(await signIn(world, world.newBrowser(), 'careful', who))) {
    expect((await world.store.getUserByEmail(ADDRESS[who]))?.emailVerified).toBeTruthy()
  }
}
