import { UnsupportedStrategy } from '../../base/errors.ts'
import type { TrackedSession } from '../../base/stores.ts'
import { keysIn } from '../listed-name.ts'
import type { LazyRevocations, RevocationView } from '../revocation.ts'
import type { SessionList } from '../session-list.ts'
import type { LazyTracker, Tracker } from '../session-tracker.ts'

/** More than a user has, and few enough to be ended at once. */
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

  return {
    async list({ userId }, limit) {
      const view = await requireRevocations(revocations).open()
      const tracked = await listOwn(await requireTracker(), view, userId, limit)
      const listed = tracked.map(session => ({ session, ...keysIn(session.id) }))
      const revoked = await view.findRevoked(listed)
      return listed.filter(each => !revoked.has(each)).map(({ session }) => session)
    },
    async end({ userId }, { id }) {
      await (await requireRevocations(revocations).open()).revokeKeys([keysIn(id).key])
      await (await openTracker?.())?.ended({ userId, id })
    },
    // One by one: an attacker who ended the user's sessions, and spared one, could spare one that was just ended.
    async endOthers(own) {
      const tracker = await requireTracker()
      const view = await requireRevocations(revocations).open()
      const all = await listOwn(tracker, view, own.userId, MAX_ENDED)
      const others = all.filter(({ id }) => id !== own.id)
      await view.revokeKeys(others.map(({ id }) => keysIn(id).key))
      // Not all but this one: another may have begun meanwhile.
      await tracker.ended(...others)
    },
  }
}
