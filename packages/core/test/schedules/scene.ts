import type { CompleteAdapter } from '../../../adapters/src/memory.ts'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { openLink } from '../accounts/steps.ts'
import {
  ADDRESS,
  createWorld,
  hasher,
  PEOPLE,
  type Person,
  PROVIDERS,
  SECRETS,
  userIn,
  type World,
} from '../accounts/world.ts'
import { Visitor } from '../visitor.ts'
import { begin, enter, FLOWS, type FlowName, type Result, type Scene, type State } from './flows.ts'
import { inStatements } from './statements.ts'
import { type Choose, type Clock, inTurn, type Turn, takeTurns } from './turns.ts'

// What has to hold after every schedule:
//
// 1. No account, passkey, password or session of Mallory reaches the user that holds Ann’s proved address, and none of Ann’s
//    reaches one that Mallory holds.
// 2. Ann can get in again, by her second attempt at the latest, and 1 still holds then.
// 3. An address has at most one user, as who looks it up finds it, and at most one who has proved it.
// 4. A session that was ended, and reported as such, has ended: also if it was rotated meanwhile. Whoever adds an account gets
//    another session, which is listed by itself: it ends with all others, but not with the earlier one.
// 5. An account belongs to one user: whoever lists it has it.
// 6. An account that was unlinked signs nobody in to that user, and has no tokens, unless it was linked again.
// 7. An access token that somebody gets is their own.

export interface Cast {
  readonly state: State
  readonly strategy: 'database' | 'jwt'
  readonly flows: readonly FlowName[]
}

/** A store without users. */
export interface EmptyStore {
  readonly adapter: CompleteAdapter
  /** Whether others use it afterwards. */
  readonly isShared?: boolean
}

/** What became of a schedule. */
export interface Story {
  /** Who had which turn. */
  readonly turns: readonly Turn[]
  /** What each flow was told, and what is stored then, in words that are the same for every store. */
  readonly outcome: readonly string[]
  readonly faults: readonly string[]
}

/** A minute: every process has looked at the log of revocations by then. */
const LATER = 60_000

/**
 * Runs flows by a schedule.
 *
 * @param isSplit whether methods are split into statements as real stores do it; not for stores that do it themselves
 */
export async function play(
  { state, strategy, flows }: Cast,
  choose: Choose,
  kept: EmptyStore = { adapter: MemoryAdapter() },
  isSplit = false,
): Promise<Story> {
  const clock: Clock = { now: Date.now() }
  const adapter = isSplit ? inStatements(kept.adapter) : kept.adapter
  const world = await createWorld(
    {
      ...{ strategy, methods: 'ours', email: true },
      ...{ track: true, refreshTokens: true, servers: flows.length },
    },
    () => clock.now,
    { used: adapter, whole: kept.adapter },
  )
  try {
    const people = flows.map(name => FLOWS[name].who)
    await begin(world, state)
    const browsers = flows.map((_, slot) => world.newBrowser(slot))
    const scene: Scene = { world, browsers, people }
    for (const [slot, name] of flows.entries()) {
      if (FLOWS[name].isSignedIn)
        await enter(world, browsers[slot] as Visitor, FLOWS[name].who, state)
    }
    const acts: (() => Promise<Result>)[] = []
    for (const [slot, name] of flows.entries()) {
      const place = { scene, slot, world, auth: world.servers[slot] as World['auth'] }
      const browser = browsers[slot] as Visitor
      acts.push(await FLOWS[name].prepare({ ...place, browser, who: FLOWS[name].who }))
    }
    const before = new Map(
      [...Object.values(world.browsers), ...browsers].map(each => [each, sessionIn(each)]),
    )
    world.ask = kept.isShared ? atLength : inTurn
    const { results, turns } = await takeTurns(acts, choose, clock)
    world.ask = call => call()
    clock.now += LATER
    const told = results.map(({ said }, slot) => `${flows[slot]}: ${said}`)
    const stored = await describeWorld(scene)
    const faults = [
      ...(await endedButAlive(scene, { flows, results, before })),
      ...(await usedThoughUnlinked(scene, results, flows)),
      ...tokensOfOthers(results, people),
      ...(await strangersIn(scene)),
      ...(await lockedOut(scene)),
    ]
    clock.now += LATER
    faults.push(...(await strangersIn(scene)))
    return { turns, outcome: [...told, ...stored], faults: [...new Set(faults)] }
  } finally {
    if (kept.isShared) for (const id of world.userIds) await kept.adapter.deleteUser(id)
  }
}

/**
 * Calls a store when it is the turn of the flow, as slowly as a server: what depends on which of two entries of the log is later
 * would be up to chance if both were written in one millisecond. When the log is polled depends on the time alone.
 */
function atLength<T>(call: () => Promise<T>, name: string): Promise<T> {
  if (name === 'since') return call()
  return inTurn(async () => {
    const answer = await call()
    const end = Date.now() + 2
    while (Date.now() < end) await new Promise(resolve => setImmediate(resolve))
    return answer
  }, name)
}

function sessionIn({ cookies }: Visitor): string | undefined {
  return cookies.get(SESSION)
}

const SESSION = '__Secure-authjs.session-token'

/** What of each person leads to a user. */
interface Inhabited {
  readonly email: string | null
  readonly isProved: boolean
  readonly ways: readonly { readonly who: Person; readonly by: string }[]
}

async function inhabited({ world, browsers, people }: Scene): Promise<readonly Inhabited[]> {
  const { store, devices, userIds } = world
  const all: Inhabited[] = []
  const signedIn: { userId: string | null; who: Person; by: string }[] = []
  for (const who of PEOPLE) {
    const first = world.browsers[`${who} 1`]
    signedIn.push({ userId: await userIn(first), who, by: 'an earlier session' })
  }
  for (const [slot, browser] of browsers.entries()) {
    const who = people[slot] as Person
    signedIn.push({ userId: await userIn(browser), who, by: `the session of flow ${slot}` })
  }
  for (const userId of userIds) {
    const user = await store.getUser(userId)
    if (!user) continue
    const accounts = (await store.listAccounts(userId)).filter(({ type }) => type !== 'webauthn')
    const passkeys = await store.listAuthenticatorsByUserId(userId)
    const { hash } = (await store.passwords.get(userId)) ?? {}
    const ways: { who: Person; by: string }[] = accounts.map(each => {
      return { who: each.providerAccountId as Person, by: `the account of ${each.provider}` }
    })
    for (const who of PEOPLE) {
      const keys = devices[who].keys.map(key => key.id.toString('base64'))
      const own = passkeys.filter(({ credentialID }) => keys.includes(credentialID))
      ways.push(...own.map(() => ({ who, by: 'a passkey' })))
      for (const [index, secret] of SECRETS[who].entries()) {
        if (hash && (await hasher.verify(secret, hash)) !== 'wrong')
          ways.push({ who, by: `password ${index}` })
      }
    }
    ways.push(...signedIn.filter(each => each.userId === userId))
    all.push({ email: user.email, isProved: user.emailVerified != null, ways })
  }
  return all
}

/** All that is stored, in words that are the same whatever ids there are. */
async function describeWorld(scene: Scene): Promise<string[]> {
  const users = (await inhabited(scene)).map(({ email, isProved, ways }) => {
    const inWords = ways.map(({ who, by }) => `${by} of ${who}`).toSorted()
    return `${email} ${isProved ? 'proved' : 'not proved'}: ${inWords.join(', ')}`
  })
  return users.toSorted()
}

/** 1, 3 and 5. */
async function strangersIn(scene: Scene): Promise<string[]> {
  const { store, userIds } = scene.world
  const all = await inhabited(scene)
  const faults: string[] = []
  for (const { email, isProved, ways } of all) {
    const owner = isProved && PEOPLE.find(who => ADDRESS[who] === email)
    for (const { who, by } of ways) {
      if (owner && who !== owner) faults.push(`1: ${by} of ${who} reaches the user of ${owner}`)
    }
  }
  for (const who of PEOPLE) {
    const having = all.filter(({ email }) => email === ADDRESS[who])
    if (having.length > 1) faults.push(`3: ${having.length} users have the address of ${who}`)
  }
  for (const provider of PROVIDERS) {
    for (const providerAccountId of PEOPLE) {
      const listing: string[] = []
      for (const userId of userIds) {
        const accounts = await store.listAccounts(userId)
        const isListed = accounts.some(each => {
          return each.provider === provider && each.providerAccountId === providerAccountId
        })
        if (isListed) listing.push(userId)
      }
      const found = await store.getUserByAccount({ provider, providerAccountId })
      const isOne = listing.length === (found ? 1 : 0) && listing.every(id => id === found?.id)
      if (!isOne) faults.push(`5: ${listing.length} users list ${provider} of ${providerAccountId}`)
    }
  }
  return faults
}

/** 2. */
async function lockedOut({ world }: Scene): Promise<string[]> {
  for (let attempt = 0; attempt < 2; attempt++) {
    const userId = await openLink(world, world.newBrowser(), 'ann')
    if (userId === null) continue
    const user = await world.store.getUser(userId)
    return user?.email === ADDRESS.ann && user.emailVerified
      ? []
      : ['2: the user that Ann gets has not proved her address']
  }
  return ['2: Ann is locked out']
}

/** 4. */
async function endedButAlive(
  { world, browsers }: Scene,
  {
    flows,
    results,
    before,
  }: {
    readonly flows: readonly FlowName[]
    readonly results: readonly Result[]
    readonly before: ReadonlyMap<Visitor, string | undefined>
  },
): Promise<string[]> {
  const faults: string[] = []
  for (const [flow, { ended = [], isOne }] of results.entries()) {
    for (const target of ended) {
      const slot = browsers.indexOf(target)
      const name = flows[slot]
      const gets = name === undefined ? 'nothing' : FLOWS[name].gets
      // A sign-in that was in progress may come after what ends the sessions.
      const mayBeNew = gets === 'a session by a proof' || (isOne && gets === 'another session')
      const tokens = new Set([before.get(target), mayBeNew ? undefined : sessionIn(target)])
      for (const token of tokens) {
        for (const { handle } of token === undefined ? [] : world.servers) {
          const thief = new Visitor(handle)
          thief.cookies.set(SESSION, token as string)
          if (await userIn(thief))
            faults.push(`4: ${flows[flow]}, and ${name ?? 'an earlier session'} is signed in`)
        }
      }
    }
  }
  return faults
}

/** 6. */
async function usedThoughUnlinked(
  { world }: Scene,
  results: readonly Result[],
  flows: readonly FlowName[],
): Promise<string[]> {
  const faults: string[] = []
  for (const { unlinked } of results) {
    if (!unlinked) continue
    const { provider, providerAccountId } = unlinked
    // Whoever comes from that provider while it is unlinked may link it again.
    const isLinkedAgain = flows.some(name => LINKING[provider]?.includes(name))
    if (isLinkedAgain) continue
    if (await world.store.getUserByAccount(unlinked))
      faults.push(`6: ${provider} of ${providerAccountId} is linked though it was unlinked`)
    if (await world.store.getAccount(providerAccountId, provider))
      faults.push(`6: ${provider} of ${providerAccountId} has tokens though it was unlinked`)
  }
  return faults
}

const LINKING: Readonly<Record<string, readonly FlowName[]>> = {
  careful: [],
  loose: ['Mallory signs in with her address'],
}

/** 7. */
function tokensOfOthers(results: readonly Result[], people: readonly Person[]): string[] {
  return results.flatMap(({ token }, slot) =>
    token === undefined || token.startsWith(`token of ${people[slot]}`)
      ? []
      : [`7: ${people[slot]} gets a token of another`],
  )
}
