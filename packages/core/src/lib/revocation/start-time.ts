import { AdapterError } from '../base/errors.ts'
import type { StartTime } from '../base/start-time.ts'
import type { RevocationEntry, RevocationLog } from '../base/stores.ts'
import type { RevocationKey } from '../session/revocation.ts'
import { isUserKey } from './keys/revocation-keys.ts'
import { readSince } from './log-loader.ts'

/** Later than anything in a store, and a date in every database. */
const END_OF_TIME = Date.parse('9999-12-31')

/** How long before the present what is new is read, in milliseconds: so that one call is enough. */
const MARGIN = 20

/** So few fit into a cookie. With more in one millisecond, some sign-ins have to be repeated. */
const MAX_EXISTING = 5

/** Makes what reads the time of the store, with what tells entries of the same millisecond apart. */
export function createStartReader(
  log: Pick<RevocationLog, 'since'>,
  now: () => number,
): () => Promise<StartTime> {
  /** How far the clock of the store is ahead of this one at least. */
  let ahead: number | null = null

  async function readStart(from: number): Promise<StartTime> {
    let revocations: readonly RevocationEntry[] = []
    const { now: storeNow } = await readSince(log, new Date(from), part => {
      revocations = revocations.concat(part)
    })
    const time = storeNow.getTime()
    if (!Number.isFinite(time)) {
      throw new AdapterError('The log of revoked sessions returns a time that is not valid.')
    }
    ahead = time - now()
    const existing = revocations
      .filter(({ key, generation }) => isUserKey(key) && Number(generation) >= time)
      .slice(0, MAX_EXISTING)
      .map(({ key, generation }) => [key, Number(generation)] as const)
    return existing.length > 0 ? { time, existing } : { time }
  }

  return async () => {
    const from = ahead === null ? END_OF_TIME : Math.floor(now() + ahead - MARGIN)
    const start = await readStart(from)
    // Entries from before `from` were not read, if the clock of this server has jumped.
    return start.time < from ? readStart(start.time) : start
  }
}

/** When all sessions of a user can first have been revoked after something started. */
export function firstRevocationSince(
  { time, existing = [] }: StartTime,
  keys: readonly Pick<RevocationKey, 'text'>[],
): number {
  const texts = keys.map(key => key.text)
  // An entry never gets the time of the one before it, nor an earlier one.
  return Math.max(time, ...existing.flatMap(([key, last]) => (texts.includes(key) ? last + 1 : [])))
}
