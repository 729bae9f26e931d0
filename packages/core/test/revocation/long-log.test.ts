import type { RevocationLog } from '@siteauth/core/adapters'
import { describe, expect, it, vi } from 'vitest'
import { Visitor } from '../visitor.ts'
import { at, createNetwork } from './network.ts'

// What a process does that starts beside a log of many pages.

const PAGE = 10
const HOUR = 3_600_000

/** A network whose log returns pages, in the order of keys, each when it is let through. */
function createLongLog() {
  const network = createNetwork()
  const { log, rows, state, clock } = network
  const pages = { asked: [] as (string | null)[], isHeld: false, isDown: false }
  const waiting: (() => void)[] = []
  const page: NonNullable<RevocationLog['page']> = async cursor => {
    pages.asked.push(cursor)
    if (pages.isHeld && cursor !== null) await new Promise<void>(resolve => waiting.push(resolve))
    if (pages.isDown) throw new Error('connection refused')
    const later = [...rows.values()]
      .filter(({ key }) => key > (cursor ?? ''))
      .sort((one, other) => (one.key < other.key ? -1 : 1))
    const revocations = later.slice(0, PAGE)
    const next = later.length > PAGE ? (revocations.at(-1)?.key ?? null) : null
    return { revocations, now: new Date(clock.now), next }
  }
  const release = () => {
    pages.isHeld = false
    for (const resolve of waiting.splice(0)) resolve()
  }
  /** Adds keys that come before those of sessions, or after them. */
  const fill = (kind: 'q:' | 'z:') =>
    log.end(
      Array.from({ length: 10 * PAGE }, (_, n) => ({
        key: `${kind}${String(n).padStart(4, '0')}`,
        until: new Date(clock.now + 100 * 24 * HOUR),
      })),
    )
  const start = (more: object = {}) =>
    network.createNode(null, {
      session: { revocation: { log: { ...log, page }, pollSeconds: 10, ...more } },
    })
  /** How often the store was asked for the entries of a session since it was last counted. */
  const countFinds = () => state.calls.splice(0).filter(call => call === 'find').length
  return { ...network, pages, release, fill, start, countFinds }
}

async function signIn(node: ReturnType<ReturnType<typeof createNetwork>['node']>, id: string) {
  const visitor = new Visitor(node.handle)
  await visitor.post('/callback/password', { id })
  return visitor
}

const isIn = async (visitor: Visitor) => (await visitor.session()) !== null
/** Waits until the last page was read, and what was recorded meanwhile. */
async function loaded({ pages, state }: Pick<ReturnType<typeof createLongLog>, 'pages' | 'state'>) {
  await vi.waitUntil(() => pages.asked.length > 10 && state.calls.includes('since'))
  await new Promise(resolve => setTimeout(resolve))
}

async function setUp(kind: 'q:' | 'z:' = 'q:') {
  const network = createLongLog()
  const elsewhere = network.node()
  const [ann, bob] = [await signIn(elsewhere, 'ann'), await signIn(elsewhere, 'bob')]
  const cid = await signIn(elsewhere, 'cid')
  await network.fill(kind)
  await at(elsewhere, bob).post('/signout', {})
  network.clock.now += 1000
  return { ...network, elsewhere, ann, bob, cid }
}

describe('a process that starts beside a long log', () => {
  it('answers the first check after one page, and asks the store for what it has not read yet', async () => {
    const { start, pages, ann, bob, cid, countFinds } = await setUp()
    pages.isHeld = true
    const node = start()
    expect(await isIn(at(node, ann))).toBe(true)
    expect(await isIn(at(node, bob))).toBe(false)
    expect(pages.asked).toEqual([null, 'q:0009'])
    countFinds()
    expect(await isIn(at(node, cid))).toBe(true)
    expect(countFinds()).toBe(1)
  })

  it('asks the store about a session as often as it would poll, and not for each check', async () => {
    const { start, pages, ann, clock, countFinds } = await setUp()
    pages.isHeld = true
    const node = start()
    const visitor = at(node, ann)
    expect(await isIn(visitor)).toBe(true)
    countFinds()
    for (let check = 0; check < 5; check++) expect(await isIn(visitor)).toBe(true)
    clock.now += 9999
    expect(await isIn(visitor)).toBe(true)
    expect(countFinds()).toBe(0)
    clock.now += 1
    expect(await isIn(visitor)).toBe(true)
    expect(countFinds()).toBe(1)
  })

  it('knows at once what it is notified of, also if it has just asked about that session', async () => {
    const { start, pages, ann, elsewhere, setChannel } = await setUp()
    pages.isHeld = true
    const node = start()
    expect(await isIn(at(node, ann))).toBe(true)
    setChannel(true)
    await at(elsewhere, ann).post('/signout', {})
    expect(await isIn(at(node, ann))).toBe(false)
  })

  it('asks nobody once it has read all pages', async () => {
    const network = await setUp()
    const { start, ann, bob, countFinds } = network
    countFinds()
    const node = start()
    await isIn(at(node, ann))
    await loaded(network)
    countFinds()
    expect(await isIn(at(node, ann))).toBe(true)
    expect(await isIn(at(node, bob))).toBe(false)
    expect(countFinds()).toBe(0)
  })

  it('knows what was revoked meanwhile under a key that it had passed', async () => {
    const network = await setUp('z:')
    const { start, elsewhere, ann, pages, release, countFinds } = network
    pages.isHeld = true
    const node = start()
    expect(await isIn(at(node, ann))).toBe(true)
    await at(elsewhere, ann).post('/signout', {})
    countFinds()
    release()
    await loaded(network)
    countFinds()
    expect(await isIn(at(node, ann))).toBe(false)
    expect(countFinds()).toBe(0)
  })

  it('keeps what it has read when a page fails, and reads on from there', async () => {
    const network = await setUp()
    const { start, pages, release, ann, clock, countFinds } = network
    pages.isHeld = true
    const node = start()
    expect(await isIn(at(node, ann))).toBe(true)
    pages.isDown = true
    release()
    await vi.waitUntil(() => node.errors.length > 0)
    pages.isDown = false
    clock.now += 10_000
    countFinds()
    await isIn(at(node, ann))
    await loaded(network)
    expect(pages.asked.filter(cursor => cursor === null)).toHaveLength(1)
    expect(pages.asked.filter(cursor => cursor === 'q:0019')).toHaveLength(1)
  })

  it('does not know who is signed in if the store stops responding before all is read', async () => {
    const { start, pages, ann, cid, state } = await setUp()
    pages.isHeld = true
    const node = start()
    expect(await isIn(at(node, ann))).toBe(true)
    state.isDown = true
    expect((await at(node, cid).get('/session')).status).toBe(503)
  })

  it('goes on with what it knows then if the application says so', async () => {
    const { start, pages, ann, cid, state } = await setUp()
    pages.isHeld = true
    const node = start({ whenStale: 'accept' })
    expect(await isIn(at(node, ann))).toBe(true)
    state.isDown = true
    expect(await isIn(at(node, cid))).toBe(true)
  })

  it('signs out the session of a token, and not the one that has followed it', async () => {
    const { start, pages, ann, bob } = await setUp()
    pages.isHeld = true
    const node = start()
    const visitor = at(node, ann)
    await visitor.post('/signout', {})
    expect(await isIn(at(node, ann))).toBe(false)
    expect(await isIn(at(node, bob))).toBe(false)
  })
})
