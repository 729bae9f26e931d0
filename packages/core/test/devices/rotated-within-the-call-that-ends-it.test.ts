import { expect, it } from 'vitest'
import type { CompleteAdapter } from '../../../adapters/src/memory.ts'
import { createSite, isIn, rotated } from '../sessions/site.ts'
import type { Visitor } from '../visitor.ts'
import { holdable } from './holdable-store.ts'

type Listed = { handle: string; isCurrent: boolean }[]

/** The owner ends the session of a thief by its handle. What happens at each reading of the list is given. */
async function endByHandle(
  session: object,
  act: (steps: {
    thief: Visitor
    hold: ReturnType<typeof holdable>
    rotate: () => Promise<void>
  }) => void,
) {
  const site = await createSite('database', session)
  const hold = holdable(site.store)
  const auth = site.node({ store: hold.wrapped })
  const thief = await site.signedIn()
  const owner = await site.signedIn({}, auth)
  const list = (await (await owner.get('/sessions')).json()) as Listed
  const handle = list.find(each => !each.isCurrent)?.handle
  const tokens: Visitor[] = [thief]
  const rotate = async () => {
    const next = await rotated(site.auth, tokens.at(-1) as Visitor)
    if (next) tokens.push(next)
  }
  act({ thief, hold, rotate })
  const ended = await (await owner.postJson('/sessions/end', { handle })).json()
  site.clock.now += 60_000
  const alive = []
  for (const [index, visitor] of tokens.entries()) if (await isIn(visitor)) alive.push(index)
  return { ended, alive, count: tokens.length }
}

// Once before its row is deleted, and once after
// the list was read again.
it.each([
  ['hashed tokens, absolute age', { hashTokens: true, absoluteAge: 30 * 86_400 }],
  ['hashed tokens, forgotten when the browser closes', { hashTokens: true, remember: false }],
])(
  'a session that is ended by its handle does not get away by being rotated twice: %s',
  async (_, session) => {
    const { ended, alive, count } = await endByHandle(session, ({ hold, rotate }) => {
      // 1: GET sessions. 2: POST sessions/end looks for the handle. 3: endListed. 4: what has followed.
      hold.after('listSessions', 3, rotate)
      hold.after('listSessions', 4, rotate)
    })
    expect(count).toBe(3)
    expect({ ended, alive }).toEqual({ ended: { ended: true }, alive: [] })
  },
)

// That reported it as ended.
it.each([
  ['plain tokens', {}],
  ['hashed tokens', { hashTokens: true }],
  ['hashed tokens, absolute age', { hashTokens: true, absoluteAge: 30 * 86_400 }],
])(
  'a session that is rotated once the call has found it is ended with it: %s',
  async (_, session) => {
    const { ended, alive } = await endByHandle(session, ({ hold, rotate }) => {
      hold.after('listSessions', 2, rotate)
    })
    expect({ ended, alive }).toEqual({ ended: { ended: true }, alive: [] })
  },
)

// Without columns for the details of sessions, every row looks like every other: ending one by its handle also ends
// another one that was rotated in the last 30 seconds.
it('ending a session by its handle ends no other that was rotated a moment ago', async () => {
  const site = await createSite('database', { hashTokens: true })
  const { extends: _, ...store } = site.store
  const auth = site.node({ store: store as CompleteAdapter })
  const [owner, lost] = [await site.signedIn({}, auth), await site.signedIn({}, auth)]
  const list = (await (await owner.get('/sessions')).json()) as Listed
  const handle = list.find(each => !each.isCurrent)?.handle
  const other = await site.signedIn({}, auth)
  site.clock.now += 1000
  const next = (await rotated(auth, other)) as Visitor
  expect(await (await owner.postJson('/sessions/end', { handle })).json()).toEqual({ ended: true })
  expect(await isIn(lost)).toBe(false)
  expect(await isIn(next)).toBe(true)
})
