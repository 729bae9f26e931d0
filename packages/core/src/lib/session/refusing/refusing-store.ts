import { withTimeout } from '../../base/with-timeout.ts'
import { wrapStore } from '../../base/wrap-store.ts'
import type { SessionList } from '../session-list.ts'
import type { NoSession, SessionStore } from '../store.ts'
import { RETRY_AFTER, type RefusedSessions } from './refused-sessions.ts'

/** The members that begin or name a session. */
type UncheckedMember =
  | 'remembers'
  | 'needsStoredUser'
  | 'draft'
  | 'issue'
  | 'endReplaced'
  | 'getLimits'
  | 'sessionIdOf'

interface RefusingParts {
  readonly refused: RefusedSessions
  /** How long sessions last, in seconds. */
  readonly maxAge: number
  readonly now: () => number
}

/** How long the store is waited for that has just failed, in milliseconds. */
const BRIEFLY = 500

const REFUSED: NoSession = { absence: 'revoked' }

/**
 * Sessions in a database which may refuse to delete them: it is read-only, say. This process does not take them from then
 * on, and tries again.
 */
export function createRefusingStore(
  store: SessionStore,
  { refused, maxAge, now }: RefusingParts,
): SessionStore {
  async function isRefused(token: string): Promise<boolean> {
    if (!(await refused.has(token, now()))) return false
    // Where timers end with the response, requests are the only occasion.
    await refused.retry(now)
    return true
  }

  /** Ends sessions. If that fails, they are refused. */
  async function endOrRefuse<Ended>(
    names: () => readonly string[] | Promise<readonly string[]>,
    end: () => Promise<Ended>,
  ): Promise<Ended> {
    try {
      return await end()
    } catch (error) {
      const given = await names()
      if (given.length > 0 && !refused.hasAny()) retryLater()
      const until = now() + maxAge * 1000
      for (const name of given) await refused.add(name, { until, end })
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
      await refused.retry(now)
      if (refused.hasAny()) retryLater()
    }, RETRY_AFTER)
    if (typeof timer === 'object' && timer && 'unref' in timer) (timer as NodeJS.Timeout).unref()
  }

  return wrapStore<SessionStore, UncheckedMember>(store, {
    read: read => async (token, how) =>
      refused.hasAny() && (await isRefused(token)) ? null : read(token, how),
    update: update => async (token, changes) =>
      refused.hasAny() && (await isRefused(token)) ? null : update(token, changes),
    identify: identify => async (token, options) =>
      refused.hasAny() && (await isRefused(token)) ? REFUSED : identify(token, options),
    userIdOf: userIdOf => async token =>
      refused.hasAny() && (await isRefused(token)) ? null : userIdOf(token),
    rotate: rotate => async token =>
      refused.hasAny() && (await isRefused(token)) ? null : rotate(token),
    revoke: revoke => async token =>
      endOrRefuse(
        async () => ((await mayExist(token)) ? [token] : []),
        () => revoke(token),
      ),
    own: sessions =>
      wrapStore<SessionList, 'list' | 'endOthers'>(sessions, {
        end: end => async (own, session) =>
          endOrRefuse(
            () => [session.id],
            async () => end(own, session),
          ),
        endSeveral: endSeveral => async (own, several) =>
          endOrRefuse(
            () => several.map(({ id }) => id),
            async () => endSeveral(own, several),
          ),
      }),
  })
}
