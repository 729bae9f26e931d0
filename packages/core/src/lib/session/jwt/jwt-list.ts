import { UnsupportedStrategy } from '../../base/errors.ts'
import type { TrackedSession } from '../../base/stores.ts'
import { marksIn } from '../listed-name.ts'
import type { LazyEndings, RevocationView } from '../revocation.ts'
import type { SessionList } from '../session-list.ts'
import type { LazyTracker, Tracker } from '../session-tracker.ts'

/** More than anybody has, and few enough to be ended at once. */
export const MOST_ENDED = 100_000

/** The revocations of an application that lists or ends sessions in cookies. Throws if it has none. */
export function requireRevocations(endings: LazyEndings | null): LazyEndings {
  if (endings) return endings
  throw new UnsupportedStrategy(
    'Sessions in cookies cannot be ended here. They need a log of what was ended: use an adapter that ' +
      'keeps one, or set session.revocation.log.',
  )
}

/** The sessions of a user that are listed, without those of other audiences with a user of that id. */
async function listOwn(
  tracker: Tracker,
  ends: RevocationView,
  userId: string,
  most: number,
): Promise<readonly TrackedSession[]> {
  const isOwn = ({ id }: TrackedSession) => {
    const { tag } = marksIn(id)
    // Of which audience a session is that began in an earlier version is not known.
    return tag === null || tag === ends.tag
  }
  const listed = await tracker.list(userId, most)
  const own = listed.filter(isOwn)
  if (own.length === listed.length || listed.length < most) return own
  // Those of others must not hide them.
  return (await tracker.list(userId, MOST_ENDED)).filter(isOwn).slice(0, most)
}

/** Lists sessions in cookies, as far as they are tracked. */
export function createJwtList(
  endings: LazyEndings | null,
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
    async list({ userId }, most) {
      const ends = await requireRevocations(endings).open()
      const tracked = await listOwn(await requireTracker(), ends, userId, most)
      const listed = tracked.map(session => ({ session, ...marksIn(session.id) }))
      const ended = await ends.endedAmong(listed)
      return listed.filter(each => !ended.has(each)).map(({ session }) => session)
    },
    async end({ userId }, id) {
      await (await requireRevocations(endings).open()).endKeys([marksIn(id).key])
      await (await openTracker?.())?.ended({ userId, id })
    },
    // One by one: whoever ended the user, and spared one session, could spare one that was just ended.
    async endOthers(own) {
      const tracker = await requireTracker()
      const ends = await requireRevocations(endings).open()
      const all = await listOwn(tracker, ends, own.userId, MOST_ENDED)
      const others = all.filter(({ id }) => id !== own.id)
      await ends.endKeys(others.map(({ id }) => marksIn(id).key))
      // Not all but this one: another may have begun meanwhile.
      await tracker.ended(...others)
    },
  }
}
