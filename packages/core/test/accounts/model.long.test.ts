import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Visitor } from '../visitor.ts'
import { type Action, act, anyAction, type Pending } from './actions.ts'
import { openLink, resetPassword, signIn, typeCode } from './steps.ts'
import {
  ADDRESS,
  BROWSERS,
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

/** How long is looked, in all, instead of at so many stories. `npm run model -- 600` looks for ten minutes. */
const SECONDS = Number(process.env['MODEL_SECONDS'] ?? 0)
const STORIES = 10

const SETTINGS: readonly Setting[] = (['jwt', 'database'] as const).flatMap(strategy =>
  (['ours', 'published'] as const).flatMap(methods =>
    [true, false].map(email => ({ strategy, methods, email })),
  ),
)

describe.each(SETTINGS)('$strategy sessions, the methods of $methods, links: $email', setting => {
  it(
    'whatever two people do in whichever order, nobody is in the account of the other',
    async () => {
      await run(setting, []) // loads what takes its time once
      const property = fc.asyncProperty(
        fc.array(anyAction, { minLength: 1, maxLength: 16 }),
        async actions => run(setting, actions),
      )
      await fc.assert(property, {
        ...(SECONDS > 0
          ? {
              numRuns: 1_000_000,
              interruptAfterTimeLimit: (SECONDS * 1000) / SETTINGS.length,
              // What was tried until then has held.
              markInterruptAsFailure: false,
            }
          : { numRuns: STORIES }),
        ...(process.env['MODEL_SEED'] && { seed: Number(process.env['MODEL_SEED']) }),
      })
    },
    SECONDS * 1000 + 300_000,
  )
})

async function run(setting: Setting, actions: readonly Action[]): Promise<void> {
  const world = await createWorld(setting)
  const pending: Pending = { attempts: [], answers: [] }
  const sessions: Sessions = new Map()
  const made = new Map<object, number>()
  for (const action of actions) {
    const before = sessions.size
    const token = 'browser' in action ? sessionIn(world.browsers[action.browser]) : undefined
    const proof = (await act(world, pending, action)) ?? action
    await noteSessions(world, sessions)
    made.set(proof, (made.get(proof) ?? 0) + sessions.size - before)
    expect(made.get(proof), 'sessions that one proof has made').toBeLessThanOrEqual(1)
    await expectNobodyShares(world, sessions)
    await expectOthersOut(world, action, token)
  }
  for (const who of PEOPLE) await expectWayIn(world, who)
}

/** Every session there has been, by its cookie, and whose browser it was given to. */
type Sessions = Map<string, Person>

async function noteSessions({ browsers }: World, sessions: Sessions): Promise<void> {
  for (const name of BROWSERS) {
    const token = sessionIn(browsers[name])
    if (token && !sessions.has(token)) sessions.set(token, personOf(name))
  }
}

function sessionIn({ cookies }: Visitor): string | undefined {
  return cookies.get('__Secure-authjs.session-token')
}

/** Whoever has chosen or changed a password is the only one who is signed in then, in that very browser. */
async function expectOthersOut(
  { browsers }: World,
  action: Action,
  tokenBefore: string | undefined,
): Promise<void> {
  if (action.do !== 'choose password' && action.do !== 'change password') return
  const token = sessionIn(browsers[action.browser])
  const userId = await userIn(browsers[action.browser])
  if (token === tokenBefore || !userId) return
  for (const name of BROWSERS.filter(each => each !== action.browser)) {
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

/** Whoever can prove an address gets in by it, in a browser that knows nothing, and alone. */
async function expectWayIn(world: World, who: Person): Promise<void> {
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
    const userId = await way()
    expect(userId, `${who} gets in`).not.toBeNull()
    const found = await inhabitants(world, new Map())
    expect([...(found.get(userId ?? '') ?? [who])]).toEqual([who])
  }
  // One that may not link says so where the same person has proved the address otherwise.
  if (!(await signIn(world, world.newBrowser(), 'careful', who))) {
    expect((await world.store.getUserByEmail(ADDRESS[who]))?.emailVerified).toBeTruthy()
  }
}
