import { describe, expect, it } from 'vitest'
import { Visitor } from '../visitor.ts'
import { at, createNetwork } from './network.ts'

// What a process reads with each poll, if it is notified of what other processes record.

const SECOND = 1000
const MINUTE = 60 * SECOND
const COUNT = 1000

async function setUp(hasChannel = true) {
  const network = createNetwork()
  const { clock, state, log, setChannel } = network
  const [here, elsewhere] = [network.node(), network.node()]
  const visitor = new Visitor(elsewhere.handle)
  await visitor.post('/callback/password', { id: 'ann' })
  const check = async () => (await at(here, visitor).session()) !== null
  expect(await check()).toBe(true)
  setChannel(hasChannel)
  /** Polls so many times. Returns how many entries were read by each. */
  async function poll(times: number): Promise<number[]> {
    const read: number[] = []
    for (let time = 0; time < times; time++) {
      clock.now += 10 * SECOND
      state.read = 0
      await check()
      read.push(state.read)
    }
    return read
  }
  const end = (name: string) =>
    log.end(
      Array.from({ length: COUNT }, (_, n) => ({
        key: `s:${name}${n}`,
        until: new Date(clock.now + 300 * MINUTE),
      })),
    )
  return { ...network, here, elsewhere, visitor, check, poll, end }
}

/** An entry whose time is earlier than the last poll, although it was committed after it. */
function lateCommit({ rows, clock, written }: Awaited<ReturnType<typeof setUp>>, seconds: number) {
  const until = new Date(clock.now + 300 * MINUTE)
  const session = written.find(({ key }) => key.startsWith('s:'))
  if (!session) throw new Error('nobody has signed out')
  const { key } = session
  const row = { key, until, generation: null, at: clock.now - seconds * SECOND }
  rows.set(key, row)
  return row
}

/** Signs out, which the store forgets again: the key of the session is known by then. */
async function withKey() {
  const network = await setUp()
  const { elsewhere, visitor, rows, state, poll, setChannel } = network
  await poll(9)
  setChannel(false)
  state.hasChannel = false
  await at(elsewhere, visitor).post('/signout', {})
  for (const key of rows.keys()) if (key.startsWith('s:')) rows.delete(key)
  setChannel(true)
  await poll(9)
  expect(await network.check()).toBe(true)
  return network
}

describe('a process that is notified of revocations', () => {
  it('does not read them again with the polls that follow', async () => {
    const { poll, end } = await setUp()
    await poll(9)
    await end('many')
    const read = await poll(12)
    expect(read.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(2 * COUNT)
  })

  it('reads what may have been missed when its connection was lost', async () => {
    const { poll, end, setChannel } = await setUp()
    await poll(9)
    await end('many')
    await poll(1)
    setChannel(false)
    expect((await poll(1))[0]).toBeGreaterThanOrEqual(COUNT)
    setChannel(true)
    expect((await poll(1))[0]).toBeGreaterThanOrEqual(COUNT)
  })

  it('finds what was committed late by the notification', async () => {
    const network = await withKey()
    network.notify(lateCommit(network, 5))
    expect(await network.check()).toBe(false)
  })

  it('finds what was committed late while its connection was lost by the next poll', async () => {
    const network = await withKey()
    network.setChannel(false)
    lateCommit(network, 15)
    network.setChannel(true)
    await network.poll(1)
    expect(await network.check()).toBe(false)
  })

  it('finds what was committed late if its connection is dead without being closed', async () => {
    const network = await withKey()
    network.state.hasChannel = false
    await network.end('unheard')
    await network.poll(1)
    lateCommit(network, 15)
    await network.poll(1)
    expect(await network.check()).toBe(false)
  })

  it('finds what a store records whose clock was put back', async () => {
    const network = await withKey()
    const { storeClock, state, poll, check } = network
    storeClock.offset = -20 * SECOND
    state.hasChannel = false
    lateCommit(network, 10)
    await poll(1)
    expect(await check()).toBe(false)
  })
})

describe('a process that is not notified', () => {
  it('reads again what was recorded within a minute before the last poll', async () => {
    const { poll, end } = await setUp(false)
    await end('many')
    const read = await poll(4)
    expect(read.every(each => each >= COUNT)).toBe(true)
  })
})
