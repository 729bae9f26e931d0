import type { AuthInstance } from '@siteauth/core'
import type { RevocationLog } from '@siteauth/core/adapters'
import { createShuffler } from '../shuffle.ts'
import { rotate, Visitor } from '../visitor.ts'
import { at, createNetwork } from './network.ts'

// Whatever else is under way while somebody signs out, at whichever server: afterwards nobody is signed
// in with anything that came of that session.

const SECOND = 1000
const DAY = 24 * 60 * 60 * SECOND

const BESIDE: readonly ((visitor: Visitor, auth: AuthInstance) => Promise<unknown>)[] = [
  visitor => visitor.get('/session'),
  visitor => visitor.postJson('/session', { data: { name: 'Eve' } }),
  visitor => visitor.get('/signin'),
  visitor => visitor.post('/signout'),
  (visitor, auth) => rotate(auth, visitor),
]

/** Which of the cookies that were there in the end still sign somebody in. */
export async function survivors(
  seed: number,
  {
    hasChannel,
    log: real,
  }: {
    readonly hasChannel: boolean
    /** A log that others use as well; else one in memory. */
    readonly log?: RevocationLog
  },
): Promise<string[]> {
  const { random, pick, inTurn, run } = createShuffler(seed)
  const { createNode, clock, state, log: inMemory } = createNetwork()
  state.hasChannel = hasChannel
  if (real) clock.now = Date.now()
  const unwatch: (() => unknown)[] = []
  const shared = real ?? inMemory

  const node = () => {
    const { watch } = shared
    return createNode({
      end: endings => inTurn(() => shared.end(endings)),
      find: keys => inTurn(() => shared.find(keys)),
      since: time => inTurn(() => shared.since(time)),
      ...(watch &&
        hasChannel && {
          watch: async (...listeners) => {
            const stop = await watch(...listeners)
            unwatch.push(stop)
            return stop
          },
        }),
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

  const tabs = Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
    const auth = pick(nodes)
    const visitor = at(auth, ann)
    const act = pick(BESIDE)
    return { visitor, act: () => act(visitor, auth) }
  })
  const leaving = at(pick(nodes), ann)
  await run([() => leaving.post('/signout'), ...tabs.map(({ act }) => act)])

  clock.now += 11 * SECOND
  // No time passes here while a message is on its way.
  if (hasChannel && real) await messagesHaveArrived(real)
  const alive: string[] = []
  for (const tab of [ann, leaving, ...tabs.map(({ visitor }) => visitor)]) {
    for (const each of nodes) {
      if (JSON.stringify(await at(each, tab).session()).includes('ann')) alive.push('a cookie')
    }
  }
  for (const stop of unwatch) await stop()
  return alive
}

/** Ends when a message has arrived that was sent after all others. */
async function messagesHaveArrived(log: RevocationLog): Promise<void> {
  const key = `s:${crypto.randomUUID()}`
  let stop: (() => unknown) | undefined
  const arrived = new Promise<void>((resolve, reject) => {
    const watching = log.watch?.(
      entry => {
        if (entry.key === key) resolve()
      },
      () => reject(new Error('the subscription was lost')),
    )
    Promise.resolve(watching).then(async end => {
      stop = end
      await log.end([{ key, until: new Date(Date.now() + DAY) }])
      if (!end) resolve()
    }, reject)
  })
  try {
    await arrived
  } finally {
    await stop?.()
  }
}
