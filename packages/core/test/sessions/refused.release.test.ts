import { expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { createWorld } from '../tokens/people.ts'
import { Visitor } from '../visitor.ts'

/** As many as a process refuses. */
const MAX_REFUSED = 10_000
const COOKIE = '__Secure-authjs.session-token'

it('sign-outs with cookies that were made up do not revive a session that is refused', async () => {
  const adapter = MemoryAdapter()
  const deleteSession = () => {
    throw new Error('the store is read-only')
  }
  const { auth, signIn } = createWorld({ adapter: { ...adapter, deleteSession } }, 'database')
  const ada = await signIn('ada')
  const thief = new Visitor(auth.handle)
  for (const [name, value] of ada.cookies) thief.cookies.set(name, value)
  const stolen = thief.cookies.get(COOKIE) ?? ''
  await ada.post('/signout')
  expect(await thief.session()).toBeNull()
  for (let index = 0; index < MAX_REFUSED; index += 1) {
    thief.cookies.set(COOKIE, crypto.randomUUID())
    await thief.post('/signout')
  }
  thief.cookies.set(COOKIE, stolen)
  expect(stolen).not.toBe('')
  expect(await thief.session()).toBeNull()
}, 300_000)
