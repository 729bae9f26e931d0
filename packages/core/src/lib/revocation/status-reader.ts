import type { RevocationEntry } from '../base/stores.ts'
import type { RevocationKeys, RevocationStatus } from '../session/revocation.ts'
import { closedKey } from './keys/revocation-keys.ts'
import { isEarlier, isOver, type RevokedKeys } from './keys/revoked-keys.ts'
import type { LatestExpiry } from './latest-expiry.ts'
import type { LogPoller } from './log-poller.ts'
import type { PendingEntries } from './pending-entries.ts'
import type { ViewSettings } from './revocation-settings.ts'

/** Reads the status of a session in the store. Throws if that does not respond. */
export type StatusReader = (sessionKeys: RevocationKeys) => Promise<RevocationStatus>

/** Makes a {@link StatusReader}. */
export function createStatusReader(
  { find }: Pick<LatestExpiry, 'find'>,
  view: RevokedKeys,
  pending: Pick<PendingEntries, 'has'>,
  { storeTime, readStoreTime }: Pick<LogPoller, 'storeTime' | 'readStoreTime'>,
  { now }: Pick<ViewSettings, 'now'>,
): StatusReader {
  return async sessionKeys => {
    const { session, user, sharedUser, token, provider } = sessionKeys
    // The view may hold tokens that were replaced.
    const time = view.mayHave(sessionKeys) ? await readStoreTime() : storeTime(now())
    // The store may not have accepted the entry yet.
    if (view.has(sessionKeys, time) || pending.has(session?.text ?? '')) return 'revoked'
    const keys = [session, user, sharedUser, token, ...provider].flatMap(key => key?.text ?? [])
    if (session) keys.push(closedKey(session))
    const found = keys.length === 0 ? [] : await find(keys)
    for (const revocation of found) view.add(revocation)
    return statusAmong(found, sessionKeys, found.length > 0 ? await readStoreTime() : time)
  }
}

/** The status of a session, given all entries for its keys. */
function statusAmong(
  found: readonly RevocationEntry[],
  sessionKeys: RevocationKeys,
  time: number,
): RevocationStatus {
  const { claims, session, provider } = sessionKeys
  const ofProvider = new Set(provider.map(key => key.text))
  const closed = session && closedKey(session)
  const isClosed = found.some(({ key }) => key === closed)
  const revokes = ({ key, generation }: RevocationEntry) =>
    // A token of a generation that is still to come ends with the others.
    (isClosed && key === session?.text) ||
    (ofProvider.has(key)
      ? isEarlier(claims, generation)
      : generation == null || (key === session?.text ? (claims.rot ?? 0) : claims.gen) < generation)
  // What closes a session ends nothing by itself: the entry beside it says when.
  const revoking = found.filter(entry => entry.key !== closed && revokes(entry))
  if (revoking.length === 0) return 'active'
  const isReplaced = ({ key, generation }: RevocationEntry) =>
    key === session?.text && generation != null && !isOver(Number(generation), time)
  return revoking.every(isReplaced) ? 'replaced' : 'revoked'
}
