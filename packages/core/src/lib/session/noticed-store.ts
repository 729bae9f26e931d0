import { type LazyEndings, MARKS_CLAIM } from './endings.ts'
import { termsIn } from './row-name.ts'
import type { SessionStore } from './store.ts'

/**
 * Sessions in a database that their provider can end. Which of them it means, their names say and no
 * column does, so it is written down what was ended, and each is held against that when it is used.
 */
export function createNoticedStore(
  store: SessionStore,
  endings: LazyEndings,
  now: () => number,
): SessionStore {
  async function isEnded(token: string): Promise<boolean> {
    const { rk } = termsIn(token)
    if (!rk) return false
    const ends = await endings.open()
    const marks = ends.marksOf({ [MARKS_CLAIM]: { sid: null, gen: 0, rk } })
    // As one that is due: where nothing is held here, the store is asked now and then.
    return ends.isEnded(marks, now(), 0)
  }

  /** Asks only about a session that its provider has not ended. One that it has is removed. */
  function unlessEnded<Answer>(
    ask: (token: string) => Answer | PromiseLike<Answer>,
  ): (token: string) => Promise<Answer | null> {
    return async token => {
      if (!(await isEnded(token))) return ask(token)
      await store.revoke(token)
      return null
    }
  }

  return {
    ...store,
    read: (token, how) => unlessEnded(name => store.read(name, how))(token),
    update: (token, changes) => unlessEnded(name => store.update(name, changes))(token),
    userIdOf: (token, how) => unlessEnded(name => store.userIdOf(name, how))(token),
    rotate: unlessEnded(store.rotate),
    own: { ...store.own, find: unlessEnded(store.own.find) },
  }
}
