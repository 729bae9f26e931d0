import type { RevocationLog } from '../base/model.ts'
import type { MarkClaims, RevocationView } from '../session/revocation.ts'
import { findRevoked } from './find-revoked.ts'
import { createLogPoller, type LogPoller, STORED_LONGER } from './log-poller.ts'
import { canContinue, createOverdueChecks } from './overdue-checks.ts'
import { createPendingEntries } from './pending-entries.ts'
import { mark, marksOf, userKey } from './revocation-keys.ts'
import { type RevocationSettings, resolveSettings, SECOND } from './revocation-settings.ts'
import { createEndedKeys } from './revoked-keys.ts'
import { createStatusReader } from './status-reader.ts'
import { createViewChecks } from './view-checks.ts'
import {
  type RevocationWriter,
  replace,
  revoke,
  revokeByProvider,
  revokeKeys,
  revokeUser,
  rotate,
} from './write-revocations.ts'

/** How long the sessions live that a log may revoke, in seconds: the longest of them. */
interface Longest {
  maxAge: number
}

const opened = new WeakMap<
  RevocationLog,
  { readonly endings: RevocationView; readonly longest: Longest }
>()

/** One view of a log is enough for a process, however often an application is configured. */
export function endingsFor(log: RevocationLog, settings: RevocationSettings): RevocationView {
  const existing = opened.get(log)
  const longest = existing?.longest ?? { maxAge: settings.maxAge }
  longest.maxAge = Math.max(longest.maxAge, settings.maxAge)
  const endings = existing?.endings ?? openRevocationView(log, settings, longest)
  opened.set(log, { endings, longest })
  return endings
}

/** Holds a copy of the log of revocations, and writes to it. */
function openRevocationView(
  log: RevocationLog,
  options: RevocationSettings,
  longest: Longest,
): RevocationView {
  const settings = resolveSettings(options)
  const { now, maxStaleMilliseconds, check } = settings
  const view = createEndedKeys()
  const pending = createPendingEntries(log, () => poller.poll(), settings.pollMilliseconds)
  const poller: LogPoller = createLogPoller(log, view, pending, settings)
  const readStatus = createStatusReader(log, view, pending, poller, settings)
  const expiry = () =>
    new Date(now() + longest.maxAge * SECOND + maxStaleMilliseconds + 2 * STORED_LONGER)
  const writer = Object.freeze({ log, view, poller, pending, readStatus, settings, expiry })
  return {
    marksOf,
    mark,
    mayGoOn: age => canContinue(settings, age),
    isEnded:
      check === 'on-renewal'
        ? createOverdueChecks(readStatus, settings)
        : createViewChecks(view, poller, readStatus, settings),
    standing: readStatus,
    begin: userId => beginSession(writer, userId),
    end: marks => revoke(writer, marks),
    replace: marks => replace(writer, marks),
    rotate: marks => rotate(writer, marks),
    endUser: userId => revokeUser(writer, userId),
    endProvided: ending => revokeByProvider(writer, ending),
    endKeys: keys => revokeKeys(writer, keys),
    endedAmong: listed => findRevoked(log, listed),
  }
}

/** The claims of a session that begins now. */
async function beginSession(
  { log, view, settings: { now, randomHex } }: RevocationWriter,
  userId: string | undefined,
): Promise<MarkClaims> {
  const sid = randomHex(16)
  if (userId === undefined) return { sid, bgn: now(), gen: 0 }
  const key = userKey(userId)
  const [found] = await log.find([key.text])
  // A store that has lost its rows, or is behind, would begin a session that this process rejects.
  const gen = Math.max(Number(found?.generation) || 0, view.generationOf(key))
  return { sid, bgn: now(), gen, uid: userId }
}
