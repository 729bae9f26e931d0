import { describe, expect, it } from 'vitest'
import { Visitor } from '../visitor.ts'
import { at, createNetwork } from './network.ts'

// Whatever else is under way while somebody signs out, at whichever server: afterwards nobody is signed
// in with anything that came of that session. Each request is split where it asks the log, and the
// pieces are shuffled; the seed is in the name of what fails.

const SECOND = 1000
const DAY = 24 * 60 * 60 * SECOND
const ROUNDS = 1000

type Request = (visitor: Visitor) => Promise<unknown>

const BESIDE: readonly Request[] = [
  visitor => visitor.get('/session'),
  visitor => visitor.postJson('/session', { data: { name: 'Eve' } }),
  visitor => visitor.get('/signin'),
  visitor => visitor.post('/signout'),
]

describe('beside a sign-out', () => {
  it.each([
    ['with a channel', true],
    ['without one', false],
  ])(
    'nothing brings the session back, %s',
    async (_name, hasChannel) => {
      for (let seed = 1; seed <= ROUNDS; seed++) {
        expect(await survivors(seed, hasChannel), `seed ${seed}`).toEqual([])
      }
    },
    300_000,
  )
})

/** Which of the cookies that were there in the end still sign somebody in. */
async function survivors(seed: number, hasChannel: boolean): Promise<string[]> {
  const random = generator(seed)
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
  const { node, clock, state, log } = createNetwork()
  state.hasChannel = hasChannel
  const waiting: (() => void)[] = []
  let isShuffling = false
  for (const name of ['end', 'find', 'since'] as const) {
    const method = log[name] as (...args: unknown[]) => Promise<unknown>
    Object.assign(log, {
      async [name](...args: unknown[]) {
        if (isShuffling) await new Promise<void>(resolve => waiting.push(resolve))
        return method(...args)
      },
    })
  }
  const nodes = [node(), node()]
  const ann = new Visitor(pick(nodes).handle)
  await ann.post('/callback/password', { id: 'ann' })
  // Due, or not; what the servers know is fresh, old, or nothing at all.
  clock.now += pick([SECOND, 2 * DAY])
  if (random() < 0.5) for (const each of nodes) await at(each, ann).get('/csrf')
  if (random() < 0.5) await at(pick(nodes), ann).get('/providers')
  clock.now += pick([0, 6 * SECOND, 11 * SECOND])

  const tabs = Array.from({ length: 1 + Math.floor(random() * 3) }, () => at(pick(nodes), ann))
  const leaving = at(pick(nodes), ann)
  isShuffling = true
  const requests = [leaving.post('/signout'), ...tabs.map(tab => pick(BESIDE)(tab))]
  let open = requests.length
  for (const request of requests) void request.finally(() => open--)
  while (open > 0) {
    await new Promise(resolve => setImmediate(resolve))
    const [next] = waiting.splice(Math.floor(random() * waiting.length), 1)
    next?.()
  }
  isShuffling = false
  await Promise.all(requests)

  clock.now += 11 * SECOND
  const alive: string[] = []
  for (const tab of [ann, leaving, ...tabs]) {
    for (const each of nodes) {
      if (JSON.stringify(await at(each, tab).session()).includes('ann')) alive.push('a cookie')
    }
  }
  return alive
}

/** The same numbers for the same seed (mulberry32). */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
