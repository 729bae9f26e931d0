import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { createWorld, requestOf, STRATEGIES } from '../tokens/people.ts'
import { Visitor } from '../visitor.ts'

/** An application whose store can become read-only, and another server of it with the same store. */
function createReadOnlyWorld(strategy: (typeof STRATEGIES)[number]) {
  const adapter = MemoryAdapter()
  const store = { isReadOnly: false, writes: 0 }
  function unlessReadOnly<Args extends unknown[], Result>(act: (...args: Args) => Result) {
    return (...args: Args): Result => {
      store.writes += 1
      if (store.isReadOnly) throw new Error('the store is read-only')
      return act(...args)
    }
  }
  const { deleteSession, revocations } = adapter
  const readable = {
    ...adapter,
    deleteSession: unlessReadOnly(deleteSession),
    revocations: { ...revocations, end: unlessReadOnly(revocations.end) },
  }
  const world = createWorld({ adapter: readable }, strategy)
  return { ...world, store, elsewhere: world.node() }
}

/** The cookies of a browser, as a thief would have copied them. */
function copyOf(visitor: Visitor, { handle }: { handle(request: Request): Promise<Response> }) {
  const copy = new Visitor(handle)
  for (const [name, value] of visitor.cookies) copy.cookies.set(name, value)
  return copy
}

describe.each(STRATEGIES)('a session that is ended while the store is read-only (%s)', strategy => {
  it('is refused by this process, whatever the request asks for', async () => {
    const { auth, signIn, store } = createReadOnlyWorld(strategy)
    const [ada, bob] = [await signIn('ada'), await signIn('bob')]
    const copy = copyOf(ada, auth)
    store.isReadOnly = true
    await ada.post('/signout')
    expect(auth.errors.length).toBeGreaterThan(0)
    expect(await copyOf(copy, auth).session()).toBeNull()
    expect(await auth.accounts.list(requestOf(copy))).toEqual([])
    expect(await auth.update(requestOf(copy), {})).toBeNull()
    expect(await auth.sessions.rotate(requestOf(copy))).toBeNull()
    expect(await bob.session()).not.toBeNull()
  })

  it('ends in the store once that can be written, for all servers', async () => {
    const { auth, elsewhere, clock, signIn, store } = createReadOnlyWorld(strategy)
    const ada = await signIn('ada')
    const copy = copyOf(ada, auth)
    store.isReadOnly = true
    await ada.post('/signout')
    store.isReadOnly = false
    clock.now += 20_000
    expect(await copyOf(copy, auth).session()).toBeNull()
    clock.now += 20_000
    expect(await copyOf(copy, elsewhere).session()).toBeNull()
  })
})

describe('a database that stays read-only', () => {
  it('is not asked again by each request that brings a refused session', async () => {
    const { auth, clock, signIn, store } = createReadOnlyWorld('database')
    const ada = await signIn('ada')
    const copy = copyOf(ada, auth)
    store.isReadOnly = true
    await ada.post('/signout')
    clock.now += 20_000
    await copyOf(copy, auth).session()
    const { writes } = store
    for (let index = 0; index < 20; index += 1) {
      expect(await copyOf(copy, auth).session()).toBeNull()
    }
    expect(store.writes).toBe(writes)
  })

  it('keeps users out of a session that another browser of theirs has ended', async () => {
    const { auth, signIn, store } = createReadOnlyWorld('database')
    const desk = await signIn('ada')
    const phone = await signIn('ada', { visitor: new Visitor(auth.handle) })
    const listed = await auth.sessions.list(requestOf(desk))
    const other = listed.find(({ isCurrent }) => !isCurrent)
    store.isReadOnly = true
    await expect(auth.sessions.end(requestOf(desk), other?.handle ?? '')).rejects.toThrow()
    expect(await phone.session()).toBeNull()
    expect(await desk.session()).not.toBeNull()
  })
})
