import { describe, expect, it } from 'vitest'
import type { CompleteAdapter } from '../../../adapters/src/memory.ts'
import type { Visitor } from '../visitor.ts'
import { agreeAt, askForLink, openLink, signIn, usePasskey } from './steps.ts'
import { ADDRESS, createWorld, type Setting, userIn, type World } from './world.ts'

// Mallory is signed in to a user that holds Ann’s address, which nobody has proved, and adds an account or a passkey. Before one
// of the calls that this makes of the store, Ann proves the address. Before a later one, the process dies, or Mallory comes with
// another browser. In no order is anything of Mallory’s attached to the user that Ann is in.

/** Prepares a request, and sends it. */
type Step = (world: World, browser: Visitor) => Promise<() => Promise<unknown>>

async function signInByCareful(world: World, browser: Visitor) {
  const back = await agreeAt(world, browser, 'careful', 'mallory')
  return () => browser.send(back.href)
}

const ADDING: Readonly<Record<string, Step>> = {
  'an account': signInByCareful,
  'a passkey': async (world, browser) =>
    (await usePasskey(world, browser, 'mallory', 'register', 'ann')) ?? (async () => {}),
}

const KILLED = () => Promise.reject(new Error('the process was killed'))

/** What happens beside the request, before the call of that number. */
interface Interruption {
  readonly at: number
  readonly act: () => Promise<unknown>
  /** Whether nothing follows it. */
  readonly isEnd: boolean
}

/** Runs a request with interruptions. Returns how many calls it made of the store. */
async function interrupt(
  world: World,
  interruptions: readonly Interruption[],
  request: () => Promise<unknown>,
): Promise<number> {
  const direct = world.ask
  let calls = 0
  let isOver = false
  const counting: World['ask'] = async call => {
    calls += 1
    for (const { at, act, isEnd } of interruptions) {
      if (at !== calls) continue
      world.ask = direct
      await act()
      world.ask = counting
      isOver ||= isEnd
    }
    return isOver ? KILLED() : call()
  }
  world.ask = counting
  await request().catch(() => {})
  world.ask = direct
  return calls
}

/** What is wrong if the request is interrupted twice; null if it makes fewer calls. */
async function run(
  world: World,
  add: Step,
  [provedAt, thenAt]: readonly [number, number],
  then: 'dies' | 'comes again',
): Promise<string[] | null> {
  const { 'ann 1': ann, 'mallory 1': mallory, 'mallory 2': again } = world.browsers
  await signIn(world, mallory, 'loose', 'mallory', ADDRESS.ann)
  await signIn(world, again, 'loose', 'mallory', ADDRESS.ann)
  const request = await add(world, mallory)
  const prove = await askForLink(world, ann, 'ann')
  const comeAgain = await signInByCareful(world, world.newBrowser())
  const calls = await interrupt(
    world,
    [
      { at: provedAt, act: prove, isEnd: false },
      {
        at: thenAt,
        act: then === 'dies' ? async () => {} : comeAgain,
        isEnd: then === 'dies',
      },
    ],
    request,
  )
  if (calls < thenAt) return null
  if (!(await userIn(ann))) await openLink(world, ann, 'ann')
  return faultsIn(world)
}

async function faultsIn({ browsers, store }: World): Promise<string[]> {
  const annId = await userIn(browsers['ann 1'])
  if (annId === null) return ['Ann is locked out']
  const accounts = await store.listAccounts(annId)
  const passkeys = await store.listAuthenticatorsByUserId(annId)
  const isIn = await Promise.all(
    [browsers['mallory 1'], browsers['mallory 2']].map(
      async browser => (await userIn(browser)) === annId,
    ),
  )
  return [
    ...accounts.map(({ provider }) => `the account of ${provider}`),
    ...passkeys.map(() => 'the passkey'),
    ...isIn.flatMap(isMallory => (isMallory ? ['a session'] : [])),
  ]
}

/** An empty store, or one in which no two worlds meet. */
export interface AttachedStore {
  readonly adapter: CompleteAdapter
  readonly close: () => unknown
}

const LIMIT = 60

/** @param reach how many calls lie between the two interruptions at most: all, if it is left out */
export function attachedSuite(
  strategies: readonly Setting['strategy'][],
  open: () => Promise<AttachedStore>,
  reach: number = LIMIT,
): void {
  describe.each(strategies)('with %s sessions', strategy => {
    const cases = Object.keys(ADDING).flatMap(what =>
      (['dies', 'comes again'] as const).map(then => [what, then] as const),
    )

    it.each(cases)('%s of an attacker, who then %s, is never attached', async (what, then) => {
      const add = ADDING[what]
      if (!add) throw new Error('there is no such case')
      const found: string[] = []
      let runs = 0
      for (let provedAt = 1; provedAt < LIMIT; provedAt++) {
        let thenAt = provedAt
        for (; thenAt < LIMIT && thenAt - provedAt <= reach; thenAt++) {
          const { adapter, close } = await open()
          const kept = { used: adapter, whole: adapter }
          const world = await createWorld(
            { strategy, methods: 'ours', email: true },
            Date.now,
            kept,
          )
          const faults = await run(world, add, [provedAt, thenAt], then)
          for (const id of world.userIds) await adapter.deleteUser(id)
          await close()
          if (!faults) break
          runs++
          const when = `Ann proves the address before call ${provedAt}, and Mallory ${then} before call ${thenAt}`
          for (const fault of faults) found.push(`${when}: ${fault}`)
        }
        if (thenAt === provedAt) break
      }
      expect(found).toEqual([])
      expect(runs).toBeGreaterThan(10)
    })
  })
}
