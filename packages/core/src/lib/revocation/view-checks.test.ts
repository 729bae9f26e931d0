import { expect, it } from 'vitest'
import type { RevocationStatus } from '../session/revocation.ts'
import { keysOf } from './keys/revocation-keys.ts'
import { createRevokedKeys } from './keys/revoked-keys.ts'
import { createViewChecks } from './view-checks.ts'

const NOW = Date.UTC(2030, 0, 1)
const until = new Date(NOW + 86_400_000)

/** Checks of a process that holds one key, and knows of another one that only the store holds. */
function setUp() {
  const view = createRevokedKeys(1)
  view.complete()
  for (const sid of ['held', 'left']) view.add({ key: `s:${sid}`, generation: null, until })
  const state = { asked: 0, status: 'active' as RevocationStatus }
  const clock = { age: () => 0, sinceFailure: () => 0, storeTime: (time: number) => time }
  const poller = { ...clock, clock, poll: async () => {}, reportOutage() {}, error: undefined }
  const isRevoked = createViewChecks(
    view,
    // Sound: a poll was made at this moment, and no other is needed.
    poller as unknown as Parameters<typeof createViewChecks>[1],
    async () => {
      state.asked++
      return state.status
    },
    { waitBriefly: async () => {} },
    {
      check: 'always',
      now: () => NOW,
      pollMilliseconds: 10_000,
      maxStaleMilliseconds: 300_000,
      whenStale: 'reject',
      updateAge: 0,
      randomHex: () => '',
      report() {},
    },
  )
  // Shares its bits with the key that only the store holds.
  const keys = keysOf({ sub: 'ann', siteauth: { sid: 'left', gen: 0 } }, null)
  return { view, state, check: async (time: number) => isRevoked(keys, time, false), keys }
}

it('a session that only the store knows is asked about as often as polls are made', async () => {
  const { state, check } = setUp()
  for (const time of [NOW, NOW + 1, NOW + 9999]) expect(await check(time)).toBe(false)
  expect(state.asked).toBe(1)
  await check(NOW + 10_000)
  expect(state.asked).toBe(2)
  // The clock was put back.
  await check(NOW)
  expect(state.asked).toBe(3)
})

it('a session is asked about again if a key has arrived meanwhile that is not held', async () => {
  const { view, state, check } = setUp()
  expect(await check(NOW)).toBe(false)
  view.add({ key: 's:left', generation: null, until })
  state.status = 'revoked'
  expect(await check(NOW + 1)).toBe(true)
})

it('a session whose token was replaced is asked about each time', async () => {
  const { state, check } = setUp()
  state.status = 'replaced'
  expect(await check(NOW)).toBe(false)
  state.status = 'revoked'
  expect(await check(NOW + 1)).toBe(true)
})
