import type { Awaitable } from '../base/awaitable.ts'
import { AdapterError } from '../base/errors.ts'
import type { RevocationKeys, RevocationView } from '../session/revocation.ts'
import type { RevokedKeys } from './keys/revoked-keys.ts'
import type { LogPoller } from './log-poller.ts'
import { SECOND, type ViewSettings } from './revocation-settings.ts'
import type { StatusReader } from './status-reader.ts'
import type { StoreHealth } from './store-health.ts'

/** How long a store that failed is left alone. */
const RETRY_AFTER = SECOND

/** Checks sessions against the view of this process, at once as long as that is fresh. */
export function createViewChecks(
  view: RevokedKeys,
  poller: LogPoller,
  readStatus: StatusReader,
  health: Pick<StoreHealth, 'waitBriefly'>,
  { now, pollMilliseconds, maxStaleMilliseconds, whenStale }: ViewSettings,
): RevocationView['isRevoked'] {
  async function isRevokedAfterPoll(keys: RevocationKeys, time: number): Promise<boolean> {
    // While a store fails, not every request has to wait for it.
    const sinceFailure = poller.sinceFailure(time)
    const canRetry = sinceFailure >= RETRY_AFTER || sinceFailure < 0
    const news = canRetry || poller.age(time) === Infinity ? poller.poll() : poller.reportOutage()
    if (view.has(keys, poller.storeTime(time))) return true
    if (isUsable(time)) await health.waitBriefly(Promise.resolve(news))
    else await news
    if (!isUsable(now())) {
      throw new AdapterError('It is unknown whether the session was ended.', {
        cause: poller.error,
      })
    }
    return isRevoked(keys, now())
  }

  /** Whether sessions are checked against the view as it is, if the store does not respond. */
  function isUsable(time: number): boolean {
    // In whichever direction the clock was put.
    return whenStale === 'accept' || Math.abs(poller.age(time)) <= maxStaleMilliseconds
  }

  function isRevoked(keys: RevocationKeys, time: number): Awaitable<boolean> {
    return view.has(keys, poller.storeTime(time)) ?? isRevokedElsewhere(keys, time)
  }

  /** Asks the store about a session as often as polls do. What arrives in between is in the view, or is one of those left out. */
  function isRevokedElsewhere(keys: RevocationKeys, time: number): Awaitable<boolean> {
    const { activeIn } = keys
    const age = activeIn ? time - activeIn.time : -1
    const isRecent = age >= 0 && age < pollMilliseconds
    return isRecent && activeIn?.left === view.left ? false : isRevokedInStore(keys, time)
  }

  async function isRevokedInStore(keys: RevocationKeys, time: number): Promise<boolean> {
    const { left } = view
    // Where timers end with the response, the log is read on as requests come.
    if (!view.isComplete && poller.sinceFailure(now()) >= RETRY_AFTER) void poller.poll()
    try {
      const status = await readStatus(keys)
      if (status === 'active') keys.activeIn = { time, left }
      return status === 'revoked'
    } catch (error) {
      // A process that starts has read a part of the log, or nothing.
      if (whenStale === 'accept' && !view.isComplete) return false
      throw error
    }
  }

  // This runs for every session: a call fewer can be measured.
  const { clock } = poller
  return (keys, time) => {
    const age = clock.age(time)
    if (age < 0 || age >= pollMilliseconds) return isRevokedAfterPoll(keys, time)
    // In advance, so that no request has to wait.
    if (age >= pollMilliseconds / 2 && clock.sinceFailure(time) >= RETRY_AFTER) void poller.poll()
    return view.has(keys, clock.storeTime(time)) ?? isRevokedElsewhere(keys, time)
  }
}
