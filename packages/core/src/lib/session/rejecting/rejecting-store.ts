import { withTimeout } from '../../base/with-timeout.ts'
import { wrapStore } from '../../base/wrap-store.ts'
import type { SessionList } from '../session-list.ts'
import type { NoSession, SessionStore } from '../store.ts'
import { RETRY_AFTER, type RejectedSessions } from './rejected-sessions.ts'

/** The members that begin or name a session. */
type UncheckedMember =
  | 'remembers'
  | 'needsStoredUser'
  | 'draft'
  | 'issue'
  | 'endReplaced'
  | 'getLimits'
  | 'sessionIdOf'

interface RejectingOptions {
  readonly rejected: RejectedSessions
  /** How long sessions last, in seconds. */
  readonly maxAge: number
  readonly now: () => number
}

/** How long the store is waited for that has just failed, in milliseconds. */
const BRIEFLY = 500

const REJECTED: NoSession = { absence: 'revoked' }

/**
 * Sessions in a database which may refuse to delete them: it is read-only, say. This process does not take them from then
 * on, and tries again.
 */
export function createRejectingStore(
  store: SessionStore,
  { rejected, maxAge, now }: RejectingOptions,
): SessionStore {
  async function isRejected(token: string): Promise<boolean> {
    if (!(await rejected.has(token, now()))) return false
    // Where timers end with the response, requests are the only occasion.
    await rejected.retry(now)
    return true
  }

  /** Ends sessions. If that fails, they are rejected. */
  async function endOrReject<Ended>(
    names: () => readonly string[] | Promise<readonly string[]>,
    end: () => Promise<Ended>,
  ): Promise<Ended> {
    try {
      return await end()
    } catch (error) {
      const given = await names()
      if (given.length > 0 && !rejected.hasAny()) retryLater()
      const until = now() + maxAge * 1000
      for (const name of given) await rejected.add(name, { until, end })
      throw error
    }
  }

  /** Whether there is a session, or may be one: anyone can sign out with a cookie that was made up, as often as they like. */
  async function mayExist(token: string): Promise<boolean> {
    try {
      // A store that has just kept the visitor waiting is not waited for again.
      return (await withTimeout(BRIEFLY, async () => store.userIdOf(token))) !== null
    } catch {
      return true
    }
  }

  /** Retries even if this process gets no more requests. The timer keeps no process alive. */
  function retryLater(): void {
    const timer: unknown = setTimeout(async () => {
      await rejected.retry(now)
      if (rejected.hasAny()) retryLater()
    }, RETRY_AFTER)
    if (typeof timer === 'object' && timer && 'unref' in timer) (timer as NodeJS.Timeout).unref()
  }

  return wrapStore<SessionStore, UncheckedMember>(store, {
    read: read => async (token, how) =>
      rejected.hasAny() && (await isRejected(token)) ? null : read(token, how),
    update: update => async (token, changes) =>
      rejected.hasAny() && (await isRejected(token)) ? null : update(token, changes),
    identify: identify => async (token, options) =>
      rejected.hasAny() && (await isRejected(token)) ? REJECTED : identify(token, options),
    userIdOf: userIdOf => async token =>
      rejected.hasAny() && (await isRejected(token)) ? null : userIdOf(token),
    rotate: rotate => async token =>
      rejected.hasAny() && (await isRejected(token)) ? null : rotate(token),
    revoke: revoke => async token =>
      endOrReject(
        async () => ((await mayExist(token)) ? [token] : []),
        () => revoke(token),
      ),
    own: sessions =>
      wrapStore<SessionList, 'list' | 'endOthers'>(sessions, {
        end: end => async (own, session) =>
          endOrReject(
            () => [session.id],
            async () => end(own, session),
          ),
        endSeveral: endSeveral => async (own, several) =>
          endOrReject(
            () => several.map(({ id }) => id),
            async () => endSeveral(own, several),
          ),
      }),
  })
}
