import type { RevocationEntry } from '../base/stores.ts'
import { LATEST_EXPIRY } from './keys/revocation-keys.ts'
import type { RevokedKeys } from './keys/revoked-keys.ts'
import type { LogPoller } from './log-poller.ts'
import { STORED_LONGER } from './log-reader.ts'
import { HOUR, SECOND, type ViewSettings } from './revocation-settings.ts'
import type { SharedLog } from './shared-log.ts'

/** Knows when the last token will have expired that an entry could revoke. */
export interface LatestExpiry {
  /** Until when an entry that is written now is kept. */
  expiry(): Date
  /** Reads from the store what this process may not know of it. */
  read(): Promise<void>
  /** Finds entries, and what {@link LatestExpiry.read} reads. */
  find(keys: readonly string[]): Promise<readonly RevocationEntry[]>
  /** Records that a token is sealed. The session begins though the store may not accept it. */
  cover(): Promise<void>
}

const DAY = 24 * HOUR

/** Makes the {@link LatestExpiry} of a log. */
export function createLatestExpiry(
  shared: SharedLog,
  view: Pick<RevokedKeys, 'add' | 'latestExpiry' | 'isComplete'>,
  { age, storeTime }: Pick<LogPoller, 'age' | 'storeTime'>,
  { check, now, pollMilliseconds }: ViewSettings,
): LatestExpiry {
  const { log } = shared

  /** When a token expires that is sealed at that time, and processes that are behind know it as well. */
  function expiryAt(time: number): number {
    const { maxAgeSeconds, maxStaleMilliseconds } = shared
    return time + maxAgeSeconds * SECOND + maxStaleMilliseconds + 2 * STORED_LONGER
  }

  async function find(keys: readonly string[]): Promise<readonly RevocationEntry[]> {
    const found = await log.find([...keys, LATEST_EXPIRY])
    for (const entry of found) if (entry.key === LATEST_EXPIRY) view.add(entry)
    return found.filter(({ key }) => key !== LATEST_EXPIRY)
  }

  return {
    expiry: () => new Date(Math.max(expiryAt(storeTime(now())), view.latestExpiry())),
    async read() {
      // Polls read it with everything else.
      const isPolled =
        check === 'always' && view.isComplete && Math.abs(age(now())) < pollMilliseconds
      if (!isPolled) await find([])
    },
    find,
    async cover() {
      // The token goes by the clock of this server.
      const needed = expiryAt(Math.max(now(), storeTime(now())))
      if (needed <= view.latestExpiry()) return
      // Ahead, so that it is not written with every token.
      const ahead = Math.min(Math.max((shared.maxAgeSeconds * SECOND) / 10, HOUR), DAY)
      try {
        const entry = { key: LATEST_EXPIRY, until: new Date(needed + ahead) }
        const written = await shared.health.callBriefly(async () => log.end([entry]))
        for (const each of written) view.add(each)
      } catch {
        // The next token tries again.
      }
    },
  }
}
