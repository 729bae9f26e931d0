import type { AdapterSession } from '@siteauth/core/adapters'
import { expect, it } from 'vitest'
import type { CompleteAdapter } from '../../../adapters/src/memory.ts'
import { createSite, isIn, rotated } from '../sessions/site.ts'

type Listed = { handle: string; isCurrent: boolean }[]

/** Ends a session by its handle while that session is being rotated: after the rotation has looked at it, before it deletes it. */
async function endWhileRotating(session: object) {
  const site = await createSite('database', session)
  const { store } = site
  let hook: (() => Promise<void>) | null = null
  const wrapped: CompleteAdapter = {
    ...store,
    async deleteSession(token: string): Promise<AdapterSession | null> {
      const act = hook
      if (act) {
        hook = null
        await act()
      }
      return (await store.deleteSession(token)) ?? null
    },
  }
  const auth = site.node({ store: wrapped })
  const thief = await site.signedIn()
  const owner = await site.signedIn()
  const list = (await (await owner.get('/sessions')).json()) as Listed
  const [other] = list.filter(each => !each.isCurrent)
  expect(list).toHaveLength(2)
  let ended: unknown
  hook = async () => {
    ended = await (await owner.postJson('/sessions/end', { handle: other?.handle })).json()
  }
  const next = await rotated(auth, thief)
  expect(ended).toEqual({ ended: true })
  const oldIn = await isIn(thief)
  const nextIn = next !== null && (await isIn(next))
  return { oldIn, nextIn, list: (await (await owner.get('/sessions')).json()) as Listed }
}

it.each([
  ['plain tokens, absolute age', { absoluteAge: 30 * 86400 }],
  ['hashed tokens', { hashTokens: true }],
  ['hashed tokens, absolute age', { hashTokens: true, absoluteAge: 30 * 86400 }],
  ['hashed tokens, migrate, absolute age', { hashTokens: 'migrate', absoluteAge: 30 * 86400 }],
  ['hashed tokens, forgotten when the browser closes', { hashTokens: true, remember: false }],
])('a session ended by its handle stays ended while it is rotated: %s', async (_, session) => {
  const { oldIn, nextIn } = await endWhileRotating(session)
  expect({ oldIn, nextIn }).toEqual({ oldIn: false, nextIn: false })
})
