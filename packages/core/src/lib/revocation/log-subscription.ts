import type { RevocationLog } from '../base/stores.ts'
import type { RevokedKeys } from './keys/revoked-keys.ts'
import type { ViewSettings } from './revocation-settings.ts'

/** Receives entries as soon as they are recorded, and knows since when it has missed none. */
export interface LogSubscription {
  /** Watches from the first call on. That is for speed alone: the next poll finds what it loses. */
  watch(report: ViewSettings['report']): Promise<void>
  /** Whether all entries that were committed after that time of the store have arrived. */
  isUnbrokenSince(time: number): boolean
  /** Begins a poll. Returns what has to be called with its result. */
  beginPoll(): (now: number, news: number | null) => void
}

/** Makes the {@link LogSubscription} of a process. */
export function createSubscription(
  log: Pick<RevocationLog, 'watch'>,
  view: Pick<RevokedKeys, 'add'>,
): LogSubscription {
  let isWatching = false
  let isListening = false
  let losses = 0
  /** How many entries have arrived since the last poll began. */
  let arrived = 0
  /** The time of the store when the first poll was made with which nothing was missed any more. */
  let since: number | null = null

  return {
    async watch(report) {
      if (isWatching || !log.watch) return
      isWatching = true
      try {
        await log.watch(
          entry => {
            arrived++
            view.add(entry)
          },
          () => {
            losses++
            isListening = false
            since = null
          },
          () => {
            isListening = true
          },
        )
      } catch (error) {
        report('Sessions ended elsewhere are noticed within pollSeconds, not at once.', error)
      }
    },
    isUnbrokenSince: time => since !== null && since <= time,
    beginPoll() {
      const [wasListening, lossesBefore, arrivedBefore] = [isListening, losses, arrived]
      arrived = 0
      return (now, news) => {
        if (!wasListening || losses !== lossesBefore) return
        // A connection may be dead without being closed: entries were recorded, and none has arrived.
        const isMute = news !== null && news > 0 && arrivedBefore + arrived === 0
        if (since === null || isMute) since = now
      }
    },
  }
}
