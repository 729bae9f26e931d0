import { type LazyEndings, MARKS_CLAIM } from '../revocation.ts'
import { termsIn } from '../session-name.ts'
import type { NoSession, SessionStore } from '../store.ts'

/** Whether the store is asked, since another server may have heard of something just now. */
interface Source {
  readonly asksStore: boolean
}

const inHand: Source = { asksStore: false }
const inStore: Source = { asksStore: true }

const REVOKED: NoSession = { absence: 'revoked' }

/**
 * Sessions in a database that their provider can end. Which of them it means, their names say and no
 * column does, so it is written down what was ended, and each is held against that when it is used.
 */
export function createNoticedStore(
  store: SessionStore,
  endings: LazyEndings,
  now: () => number,
): SessionStore {
  async function isEnded(token: string, { asksStore }: Source): Promise<boolean> {
    const { rk } = termsIn(token)
    if (!rk) return false
    const ends = await endings.open()
    const marks = ends.marksOf({ [MARKS_CLAIM]: { sid: null, gen: 0, rk } })
    if (asksStore) return (await ends.standing(marks)) === 'ended'
    // As one that is due: where nothing is held here, the store is asked now and then.
    return ends.isEnded(marks, now(), 0)
  }

  /** Asks only about a session that its provider has not ended. One that it has is removed. */
  async function unlessEnded<Answer>(
    token: string,
    source: Source,
    ask: (token: string) => Answer | PromiseLike<Answer>,
  ): Promise<Answer | null> {
    if (!(await isEnded(token, source))) return ask(token)
    await store.revoke(token)
    return null
  }

  return {
    ...store,
    read: (token, how) => unlessEnded(token, inHand, name => store.read(name, how)),
    update: (token, changes) => unlessEnded(token, inStore, name => store.update(name, changes)),
    identify: async (token, options) =>
      (await unlessEnded(token, inStore, name => store.identify(name, options))) ?? REVOKED,
    userIdOf: token => unlessEnded(token, inHand, store.userIdOf),
    rotate: token => unlessEnded(token, inStore, store.rotate),
    own: {
      ...store.own,
      async list(own, most) {
        const stored = await store.own.list(own, most)
        const listed = stored.map(session => ({ session, rk: termsIn(session.id).rk }))
        const ended = await (await endings.open()).endedAmong(listed)
        return listed.filter(each => !ended.has(each)).map(({ session }) => session)
      },
    },
  }
}
