import { AdapterError, UnsupportedStrategy } from '../../base/errors.ts'
import type { TrackedSession } from '../../base/stores.ts'
import { keysIn } from '../listed-name.ts'
import type { LazyRevocations, RevocationView } from '../revocation.ts'
import type { OwnSession, SessionList, StoredSession } from '../session-list.ts'
import type { LazyTracker, Tracker } from '../session-tracker.ts'

/** How many are listed at once to be ended: usually all. */
export const MAX_ENDED = 100_000

/** The revocations of an application that lists or ends sessions in cookies. Throws if it does not have any. */
export function requireRevocations(revocations: LazyRevocations | null): LazyRevocations {
  if (revocations) return revocations
  throw new UnsupportedStrategy(
    'Sessions in cookies cannot be ended here. They need a log of what was ended: use an adapter that ' +
      'keeps one, or set session.revocation.log.',
  )
}

/** The sessions of a user that are listed, without those of other audiences with a user of that id. */
async function listOwn(
  tracker: Tracker,
  view: RevocationView,
  userId: string,
  limit: number,
): Promise<readonly TrackedSession[]> {
  const isOwn = ({ id }: TrackedSession) => {
    const { tag } = keysIn(id)
    // The audience of a session that began in an earlier version is unknown.
    return tag === null || tag === view.tag
  }
  const listed = await tracker.list(userId, limit)
  const own = listed.filter(isOwn)
  if (own.length === listed.length || listed.length < limit) return own
  // Those of others must not hide them.
  return (await tracker.list(userId, MAX_ENDED)).filter(isOwn).slice(0, limit)
}

/**
 * Ends the other sessions of a user, as many at a time as are listed at once, until a list has none but those that have
 * ended: one of them may have made another before it ended, as by adding an account.
 */
async function endRounds(
  tracker: Tracker,
  view: RevocationView,
  { userId, id: own }: OwnSession,
): Promise<void> {
  const ended = new Set([own])
  for (;;) {
    const listed = await listOwn(tracker, view, userId, MAX_ENDED)
    const others = listed.map(({ id }) => id).filter(id => !ended.has(id))
    if (others.length === 0) {
      if (listed.length < MAX_ENDED) return
      throw new AdapterError('The list still has sessions that were ended.')
    }
    await view.revokeKeys(others.map(id => keysIn(id).key))
    // Not all but this one: another may have begun meanwhile.
    await tracker.ended(userId, others)
    for (const id of others) ended.add(id)
  }
}

/** Lists sessions in cookies, as far as they are tracked. */
export function createJwtList(
  revocations: LazyRevocations | null,
  openTracker: LazyTracker | null,
): SessionList {
  function requireTracker(): Promise<Tracker> {
    if (openTracker) return openTracker()
    throw new UnsupportedStrategy(
      'Sessions in cookies are not listed unless they are tracked. Set session.track to true; it takes an ' +
        'adapter that keeps them, as all of ours do.',
    )
  }

  async function endSeveral(
    { userId }: OwnSession,
    sessions: readonly StoredSession[],
  ): Promise<void> {
    const ids = sessions.map(({ id }) => id)
    await (await requireRevocations(revocations).open()).revokeKeys(ids.map(id => keysIn(id).key))
    await (await openTracker?.())?.ended(userId, ids)
  }

  return {
    async list({ userId }, limit) {
      const view = await requireRevocations(revocations).open()
      const tracked = await listOwn(await requireTracker(), view, userId, limit)
      const listed = tracked.map(session => ({ session, ...keysIn(session.id) }))
      const revoked = await view.findRevoked(listed)
      return listed.filter(each => !revoked.has(each)).map(({ session }) => session)
    },
    end: (own, session) => endSeveral(own, [session]),
    endSeveral,
    // One by one: an attacker who ended the user's sessions, and spared one, could spare one that was just ended.
    async endOthers(own) {
      const tracker = await requireTracker()
      const view = await requireRevocations(revocations).open()
      await endRounds(tracker, view, own)
    },
  }
}
