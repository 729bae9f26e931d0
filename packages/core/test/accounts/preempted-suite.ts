import { describe, expect, it } from 'vitest'
import type { Visitor } from '../visitor.ts'
import { agreeAt, askForLink, usePasskey } from './steps.ts'
import { ADDRESS, createWorld, type Setting, userIn, type World } from './world.ts'

// One request is stopped right before one of the calls that it makes of the store, another runs to its
// end, and then the first goes on: for every call, and for every pair of what an owner does to prove an
// address and what somebody who sits on it does meanwhile.

/** Prepares a request, and answers it. */
type Step = (world: World) => Promise<() => Promise<unknown>>

async function goTo(...given: Parameters<typeof agreeAt>) {
  const back = await agreeAt(...given)
  return () => given[1].send(back.href)
}

async function passkey(world: World, browser: Visitor, action: 'register' | 'authenticate') {
  return (await usePasskey(world, browser, 'mallory', action, 'ann')) ?? (async () => {})
}

const squatting = (world: World, browser: Visitor) =>
  goTo(world, browser, 'loose', 'mallory', ADDRESS.ann)

const MALLORY = {
  'signs in again': world => squatting(world, world.browsers['mallory 2']),
  'adds an account': world => goTo(world, world.browsers['mallory 1'], 'careful', 'mallory'),
  'makes a passkey': world => passkey(world, world.browsers['mallory 1'], 'register'),
  'uses a passkey': world => passkey(world, world.browsers['mallory 2'], 'authenticate'),
  'uses a password': async world => () =>
    world.browsers['mallory 2'].post('/callback/password', { who: 'mallory' }),
} satisfies Record<string, Step>

const ANN: Readonly<Record<string, Step>> = {
  'opens a link': world => askForLink(world, world.browsers['ann 1'], 'ann'),
  'comes from a provider that may link': world =>
    goTo(world, world.browsers['ann 1'], 'vouching', 'ann'),
  'comes from one that may not': world => goTo(world, world.browsers['ann 1'], 'careful', 'ann'),
}

interface Before {
  readonly prepare: (world: World) => Promise<unknown>
  /** What Mallory can do then that he cannot do elsewhere, or that may end otherwise. */
  readonly steps: readonly (keyof typeof MALLORY)[]
}

const BEFORE = {
  'nobody is there': {
    prepare: async () => {},
    steps: ['signs in again', 'makes a passkey'],
  },
  'Mallory sits there': {
    prepare: async world => (await squatting(world, world.browsers['mallory 1']))(),
    steps: ['signs in again', 'adds an account', 'makes a passkey'],
  },
  'Mallory sits there with a passkey': {
    async prepare(world) {
      const browser = world.browsers['mallory 1']
      await (await squatting(world, browser))()
      await (await passkey(world, browser, 'register'))()
    },
    steps: ['signs in again', 'adds an account', 'makes a passkey', 'uses a passkey'],
  },
  'Mallory sits there with a password': {
    async prepare(world) {
      const user = { id: crypto.randomUUID(), email: ADDRESS.ann, emailVerified: null }
      await world.store.createUser(user)
      world.userIds.add(user.id)
      world.passwords.set('mallory', user.id)
      await world.browsers['mallory 1'].post('/callback/password', { who: 'mallory' })
    },
    steps: ['adds an account', 'makes a passkey', 'uses a password'],
  },
} satisfies Record<string, Before>
type State = keyof typeof BEFORE

/**
 * Runs one request with another right before its `at`-th call. What is wrong then; null where it
 * makes fewer calls.
 */
async function run(
  setting: Setting,
  before: (world: World) => Promise<unknown>,
  [outer, inner]: readonly [Step, Step],
  at: number,
): Promise<string[] | null> {
  const time = Date.now()
  const world = await createWorld(setting, () => time) // all in one millisecond: clocks decide nothing
  await before(world)
  const [first, second] = [await outer(world), await inner(world)]
  const direct = world.ask
  let calls = 0
  const counting: World['ask'] = async call => {
    calls += 1
    if (calls === at) {
      world.ask = direct
      await second()
      world.ask = counting
    }
    return call()
  }
  world.ask = counting
  await first()
  world.ask = direct
  if (calls < at) return null
  // Whoever is caught in the owner's user is put out with everybody else, who then come once more.
  if (!(await userIn(world.browsers['ann 1']))) await (await ANN[proofOf(setting)]?.(world))?.()
  return faultsIn(world)
}

function proofOf({ email }: Setting): string {
  return email ? 'opens a link' : 'comes from a provider that may link'
}

async function faultsIn({ browsers, store }: World): Promise<string[]> {
  const annId = await userIn(browsers['ann 1'])
  if (annId === null) return ['Ann is not in']
  const faults: string[] = []
  for (const name of ['mallory 1', 'mallory 2'] as const) {
    if ((await userIn(browsers[name])) === annId) faults.push(`${name} is Ann`)
  }
  const accounts = await store.listAccounts(annId)
  if (accounts.some(each => each.providerAccountId === 'mallory')) faults.push('an account')
  if ((await store.listAuthenticatorsByUserId(annId)).length > 0) faults.push('a passkey')
  if (!(await store.getUser(annId))?.emailVerified) faults.push('Ann has proved nothing')
  return faults
}

/** For a kind of store and session, and what was there before. */
export function preemptedSuite(setting: Setting, states: readonly State[]): void {
  const { strategy, methods, email } = setting
  describe(`${strategy} sessions, the methods of ${methods}, links: ${email}`, () => {
    const proofs = Object.keys(ANN).filter(name => email || name !== 'opens a link')
    const cases = states.flatMap(state => proofs.map(proof => [state, proof] as const))

    it.each(cases)('%s, and Ann %s', async (state, proof) => {
      const { prepare, steps } = BEFORE[state]
      const prove = ANN[proof]
      if (!prove) throw new Error('there is no such case')
      const found: string[] = []
      for (const name of steps) {
        const step = MALLORY[name]
        for (const pair of [
          [step, prove],
          [prove, step],
        ] as const) {
          for (let at = 1; at < 40; at++) {
            const faults = await run(setting, prepare, pair, at)
            if (!faults) break
            const which = pair[0] === prove ? 'the proof' : 'Mallory'
            for (const fault of faults) {
              found.push(`while Mallory ${name}, stopping ${which} before call ${at}: ${fault}`)
            }
          }
        }
      }
      expect(found).toEqual([])
    })
  })
}
