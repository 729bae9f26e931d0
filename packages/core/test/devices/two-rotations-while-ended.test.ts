import { expect, it } from 'vitest'
import { at } from '../revocation/network.ts'
import { createSite, isIn, rotated } from '../sessions/site.ts'
import type { Visitor } from '../visitor.ts'
import { holdable } from './holdable-store.ts'

// A thief rotates one token at two servers at once while the session is ended. The slower one adds the rows again that
// were deleted, the faster one returns the token of one of them, the thief rotates that once more, and only then does the
// slower one notice.
it.each([
  ['plain tokens, others', {}, 'others'],
  ['plain tokens, all', {}, 'all'],
  ['plain tokens, signed out', {}, 'sign-out'],
  ['hashed tokens, others', { hashTokens: true }, 'others'],
  ['absolute age, others', { absoluteAge: 30 * 86_400 }, 'others'],
])(
  'a session that is rotated twice at once does not outlive its end: %s',
  async (_, session, kind) => {
    const site = await createSite('database', session as object)
    const thief = await site.signedIn()
    const owner = await site.signedIn()
    const fast = holdable(site.store)
    const slow = holdable(site.store)
    const [fastAuth, slowAuth] = [
      site.node({ store: fast.wrapped }),
      site.node({ store: slow.wrapped }),
    ]
    const tokens: Visitor[] = [thief]
    let go!: () => void
    const fastIsReady = new Promise<void>(resolve => (go = resolve))
    let resume!: () => void
    const slowIsReady = new Promise<void>(resolve => (resume = resolve))
    let finish!: () => void
    const canFinish = new Promise<void>(resolve => (finish = resolve))

    // The slow one has found the session valid, and is about to add its rows.
    slow.before('createSession', 1, async () => {
      resume()
      await fastIsReady
    })
    // It has added both.
    slow.after('createSession', 2, async () => {
      finish()
      await slowMayWithdraw
    })
    let withdraw!: () => void
    const slowMayWithdraw = new Promise<void>(resolve => (withdraw = resolve))
    // The fast one has looked at the session again, and is about to delete it.
    fast.before('deleteSession', 1, async () => {
      if (kind === 'all') await site.auth.users.endSessions('ann')
      else if (kind === 'sign-out') await at(site.auth, thief).post('/signout')
      else {
        const ended = await owner.postJson('/sessions/end', { others: true })
        expect(await ended.json()).toEqual({ ended: true })
      }
      go()
      await canFinish
    })

    const slowly = rotated(slowAuth, thief)
    await slowIsReady
    const next = await rotated(fastAuth, thief)
    if (next) tokens.push(next)
    const last = next && (await rotated(site.auth, next))
    if (last) tokens.push(last)
    withdraw()
    const other = await slowly
    if (other) tokens.push(other)
    site.clock.now += 60_000
    const alive = []
    for (const [index, visitor] of tokens.entries()) if (await isIn(visitor)) alive.push(index)
    expect(alive, 'the tokens of the thief that still work').toEqual([])
  },
)

// No call of the store takes 15 seconds, but together those of one rotation take more than 30.
it.each([
  ['plain tokens', {}],
  ['hashed tokens', { hashTokens: true }],
])(
  'a slow rotation does not end the session that another has given the next token: %s',
  async (_, session) => {
    const site = await createSite('database', session)
    const hold = holdable(site.store)
    const slow = site.node({ store: hold.wrapped })
    const visitor = await site.signedIn()
    let next: Visitor | null = null
    hold.before('createSession', 1, async () => {
      next = await rotated(site.auth, visitor)
      site.clock.now += 31_000
    })
    await rotated(slow, visitor)
    expect(next).not.toBeNull()
    expect(await isIn(next as unknown as Visitor)).toBe(true)
  },
)
