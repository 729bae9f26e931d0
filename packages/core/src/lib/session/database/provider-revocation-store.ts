import { wrapStore } from '../../base/wrap-store.ts'
import { type LazyRevocations, type RevocationKeys, SESSION_CLAIM } from '../revocation.ts'
import type { SessionList } from '../session-list.ts'
import { parseSessionLimits } from '../session-name.ts'
import type {
  ActiveSession,
  IdentifiedSession,
  IssuedSession,
  NoSession,
  SessionStore,
} from '../store.ts'

/** Whether the store is asked, since another server may have heard of something just now. */
interface Source {
  readonly asksStore: boolean
}

const inHand: Source = { asksStore: false }
const inStore: Source = { asksStore: true }

const REVOKED: NoSession = { absence: 'revoked' }

/** The members that draft, end or name a session, whether its provider has ended it or not. */
type UncheckedMember =
  | 'remembers'
  | 'needsStoredUser'
  | 'draft'
  | 'revoke'
  | 'endReplaced'
  | 'getLimits'
  | 'sessionIdOf'

/**
 * Sessions in a database that their provider can end. Which of them it means, their names say and no
 * column does, so it is written down what was ended, and each is held against that when it is used.
 */
export function createNoticedStore(
  store: SessionStore,
  revocations: LazyRevocations,
  now: () => number,
): SessionStore {
  async function isRevoked(token: string, { asksStore }: Source): Promise<boolean> {
    const keys = await keysIn(token)
    if (!keys) return false
    const view = await revocations.open()
    if (asksStore) return (await view.readStatus(keys)) === 'revoked'
    // As one that is due: where nothing is held here, the store is asked now and then.
    return view.isRevoked(keys, now(), 0)
  }

  /** Asks only about a session that its provider has not ended. One that it has is removed. */
  async function unlessRevoked<Result>(
    token: string,
    source: Source,
    ask: (token: string) => Result | PromiseLike<Result>,
  ): Promise<Result | null> {
    if (!(await isRevoked(token, source))) return ask(token)
    await store.revoke(token)
    return null
  }

  async function keysIn(token: string): Promise<RevocationKeys | null> {
    const { rk } = parseSessionLimits(token)
    return rk
      ? (await revocations.open()).keysOf({ [SESSION_CLAIM]: { sid: null, gen: 0, rk } })
      : null
  }

  /** A session with the keys by which its provider can end it among what is checked when an account is linked. */
  async function withKeys(
    identified: IdentifiedSession | NoSession,
    token: string,
  ): Promise<IdentifiedSession | NoSession> {
    const keys = identified.absence === undefined && (await keysIn(token))
    if (!keys) return identified
    const unrevoked = (await revocations.open()).conditionOf(keys)
    return { ...identified, condition: { ...identified.condition, unrevoked } }
  }

  /** Has entries kept as long as the row of a session, which is stored or extended now. */
  async function cover(token: string): Promise<void> {
    if (parseSessionLimits(token).rk) await (await revocations.open()).cover()
  }

  async function covered<Issued extends IssuedSession>(
    issued: Issued | null,
  ): Promise<Issued | null> {
    if (issued) await cover(issued.token)
    return issued
  }

  async function coveredRenewal(active: ActiveSession | null): Promise<ActiveSession | null> {
    if (active?.renewal) await cover(active.renewal.token)
    return active
  }

  return wrapStore<SessionStore, UncheckedMember>(store, {
    issue: issue => async identity => covered(await issue(identity)),
    read: read => async (token, options) =>
      coveredRenewal(await unlessRevoked(token, inHand, name => read(name, options))),
    update: update => async (token, changes) =>
      coveredRenewal(await unlessRevoked(token, inStore, name => update(name, changes))),
    identify: identify => async (token, options) => {
      const identified = await unlessRevoked(token, inStore, name => identify(name, options))
      return identified ? withKeys(identified, token) : REVOKED
    },
    userIdOf: userIdOf => token => unlessRevoked(token, inHand, userIdOf),
    rotate: rotate => async token => covered(await unlessRevoked(token, inStore, rotate)),
    own: sessions => withoutRevoked(sessions, revocations),
  })
}

/** A list of sessions without those that their provider has ended. */
function withoutRevoked(sessions: SessionList, revocations: LazyRevocations): SessionList {
  return wrapStore<SessionList, 'end' | 'endSeveral' | 'endOthers'>(sessions, {
    list: list => async (own, limit) => {
      const stored = await list(own, limit)
      const listed = stored.map(session => ({ session, rk: parseSessionLimits(session.id).rk }))
      const revoked = await (await revocations.open()).findRevoked(listed)
      return listed.filter(each => !revoked.has(each)).map(({ session }) => session)
    },
  })
}
