import type { RevocationLog } from '../base/stores.ts'
import type { MarkClaims, RevocationView } from '../session/revocation.ts'
import { findRevoked } from './find-revoked.ts'
import { createLogPoller } from './log-poller.ts'
import { STORED_LONGER } from './log-reader.ts'
import { createOverdueChecks, createRenewalStatusReader } from './overdue-checks.ts'
import { mark, marksOf, userKey } from './revocation-keys.ts'
import { type RevocationSettings, resolveSettings, SECOND } from './revocation-settings.ts'
import { replace, rotate } from './rotate-tokens.ts'
import { sharedLogOf } from './shared-log.ts'
import { createStartReader, firstEndSince } from './start-time.ts'
import { createStatusReader } from './status-reader.ts'
import { createViewChecks } from './view-checks.ts'
import {
  type RevocationWriter,
  revoke,
  revokeByProvider,
  revokeKeys,
  revokeUser,
} from './write-revocations.ts'

/**
 * What revokes sessions by a log, and says which are revoked, as one configuration wants it. The copy of the
 * log is shared by all configurations of the process.
 */
export function endingsFor(log: RevocationLog, options: RevocationSettings): RevocationView {
  const settings = resolveSettings(options)
  const { now, maxStaleMilliseconds, check } = settings
  const shared = sharedLogOf(log, { maxAgeSeconds: options.maxAge, maxStaleMilliseconds })
  const { health, view, pending, reader } = shared
  const poller = createLogPoller(reader, settings)
  const readStatus = createStatusReader(shared.log, view, pending, poller, settings)
  const renewalStatus = createRenewalStatusReader(readStatus, health, settings)
  const expiry = () =>
    new Date(
      now() + shared.maxAgeSeconds * SECOND + shared.maxStaleMilliseconds + 2 * STORED_LONGER,
    )
  const writer = Object.freeze({
    log: shared.log,
    view,
    poller,
    pending,
    readStatus,
    settings,
    expiry,
  })
  const readStart = createStartReader(shared.log, now)
  return {
    marksOf,
    mark,
    isEnded:
      check === 'on-renewal'
        ? createOverdueChecks(renewalStatus)
        : createViewChecks(view, poller, readStatus, health, settings),
    standing: readStatus,
    renewalStatus,
    begin: userId => beginSession(writer, userId),
    end: marks => revoke(writer, marks),
    replace: marks => replace(writer, marks),
    rotate: marks => rotate(writer, marks),
    endUser: (userId, at) => revokeUser(writer, userId, at),
    lastEndOf: userId => readLastEnd(writer, userId),
    readStart,
    readStartBriefly: () => health.callBriefly(readStart),
    firstEndSince,
    endProvided: ending => revokeByProvider(writer, ending),
    endKeys: keys => revokeKeys(writer, keys),
    endedAmong: listed => findRevoked(shared.log, listed),
  }
}

/** The claims of a session that begins now. */
async function beginSession(
  writer: RevocationWriter,
  userId: string | undefined,
): Promise<MarkClaims> {
  const { now, randomHex } = writer.settings
  const sid = randomHex(16)
  if (userId === undefined) return { sid, bgn: now(), gen: 0 }
  const last = await readLastEnd(writer, userId)
  return { sid, bgn: now(), gen: Number.isFinite(last) ? last : 0, uid: userId }
}

/** When all sessions of a user were last revoked; infinite if they are for good. */
async function readLastEnd(
  { log, view }: Pick<RevocationWriter, 'log' | 'view'>,
  userId: string,
): Promise<number> {
  const key = userKey(userId)
  const [found] = await log.find([key.text])
  if (found && found.generation == null) return Infinity
  // A store that has lost its rows, or is behind, would begin a session that this process rejects.
  return Math.max(Number(found?.generation) || 0, view.generationOf(key))
}
