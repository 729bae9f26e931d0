import type { Adapter } from '@siteauth/core/adapters'
import { expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import {
  ANN,
  askForLink,
  BETTER,
  change,
  choose,
  GOOD,
  passwordApplication,
  signIn,
  signUp,
  whoIsIn,
} from './application.ts'

// Somebody knows Ann's password, is signed in with it, and signs in once more at any moment. She replaces it, and the process ends
// after any of its calls of the store: once the new password works, nobody is left who came in with the old one, and she gets in.

type Store = Required<Adapter>

/** A store that does something before each of its calls, also of its log and of its passwords. */
function watched(store: Store, before: (name: string) => Promise<void>): Store {
  const wrap = <Part extends object>(part: Part): Part =>
    Object.fromEntries(
      Object.entries(part).map(([name, member]: [string, unknown]) => {
        if (typeof member !== 'function') return [name, member]
        return [
          name,
          async (...args: unknown[]) => {
            await before(name)
            return member.apply(part, args)
          },
        ]
      }),
    ) as Part // the same methods
  const { revocations, passwords } = store
  return { ...wrap(store), revocations: wrap(revocations), passwords: wrap(passwords) }
}

/** @param span how many calls of the store lie between the thief's sign-in and the end of the process, at most */
export function killedResets(span: number): void {
  it.each(
    (['jwt', 'database'] as const).flatMap(strategy => [
      [strategy, 'reset'] as const,
      [strategy, 'change'] as const,
    ]),
  )(
    'a thief is out once the new password works, and its owner gets in: %s, %s',
    async (strategy, kind) => {
      /** Returns how many calls there were, which of them replaced the password first, and whether the new password works. */
      async function run(thiefAt: number, killedAt: number) {
        const store = MemoryAdapter() as Store
        let calls = 0
        let firstSet = 0
        let act: ((name: string) => Promise<void>) | null = null
        const adapter = watched(store, async name => act?.(name))
        const hers = passwordApplication({ adapter, session: { strategy } })
        const others = passwordApplication({ adapter: store, session: { strategy } })
        const owner = await signUp(hers)
        const thieves = [others.visitor(), others.visitor()] as const
        expect(await signIn(thieves[0])).toBe('in')
        const link = await askForLink(hers, hers.visitor(), 'forgot')
        act = async name => {
          if (name === 'set') firstSet ||= calls
          const at = calls++
          if (at === thiefAt) await signIn(thieves[1])
          if (at >= killedAt) throw new Error('killed')
        }
        if (kind === 'reset') await choose(hers.visitor(), link, BETTER)
        else await change(owner, GOOD, BETTER)
        act = null

        const when = `thief at ${thiefAt}, killed at ${killedAt}`
        const isChanged = (await signIn(others.visitor(), ANN, BETTER)) === 'in'
        if (isChanged) {
          for (const thief of thieves) expect(await whoIsIn(thief), when).toBeNull()
          expect(await signIn(others.visitor()), when).not.toBe('in')
        }
        const anew = await askForLink(others, others.visitor(), 'forgot')
        expect(await choose(others.visitor(), anew, BETTER), when).toBe('in')
        for (const thief of thieves) expect(await whoIsIn(thief), when).toBeNull()
        return { calls, firstSet, isChanged }
      }

      const never = Number.POSITIVE_INFINITY
      const { calls, firstSet, isChanged } = await run(never, never)
      expect(isChanged).toBe(true)
      for (let thiefAt = firstSet; thiefAt < calls; thiefAt++) {
        const end = Math.min(thiefAt + span, calls)
        for (let killedAt = thiefAt + 1; killedAt <= end; killedAt++) await run(thiefAt, killedAt)
      }
    },
  )
}
