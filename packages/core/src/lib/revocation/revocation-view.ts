import type { RevocationLog } from '../base/stores.ts'
import type { MarkClaims, RevocationView } from '../session/revocation.ts'
import { findRevoked } from './find-revoked.ts'
import { createLogPoller } from './log-poller.ts'
import { STORED_LONGER } from './log-reader.ts'
import { createOverdueChecks, createRenewalStatusReader } from './overdue-checks.ts'
import { mark, marksOf, sessionIdFor, tagOf, userKeys } from './revocation-keys.ts'
import { type RevocationSettings, resolveSettings, SECOND } from './revocation-settings.ts'
import { replace, rotate } from './rotate-tokens.ts'
import { sharedLogOf } from './shared-log.ts'
import { createStartReader, firstEndSince } from './start-time.ts'
import { createStatusReader } from './status-reader.ts'
import { createViewChecks } from './view-checks.ts'
import {
  type RevocationWriter,
  readLastEnd,
  revoke,
  revokeByProvider,
  revokeKeys,
  revokeUser,
} from './write-revocations.ts'

/**
 * What revokes sessions by a log, and says which are revoked, as one configuration wants it. The copy of the
 * log is shared by all configurations of the process.
 */
export async function endingsFor(
  log: RevocationLog,
  options: RevocationSettings,
): Promise<RevocationView> {
  const settings = resolveSettings(options)
  const tag = await tagOf(options.audience)
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
    tag,
    expiry,
  })
  const readStart = createStartReader(shared.log, now)
  return {
    marksOf: (token, terms) => marksOf(token, tag, terms),
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
    endUser: (userId, how) => revokeUser(writer, userId, how),
    lastEndOf: userId => readLastEnd(writer, userId),
    readStart,
    readStartBriefly: () => health.callBriefly(readStart),
    firstEndSince: (start, userId) => firstEndSince(start, userKeys(userId, tag)),
    endProvided: ending => revokeByProvider(writer, ending),
    endKeys: keys => revokeKeys(writer, keys),
    tag,
    endedAmong: listed => findRevoked(shared.log, listed),
  }
}

/** The claims of a session that begins now. */
async function beginSession(
  writer: RevocationWriter,
  userId: string | undefined,
): Promise<MarkClaims> {
  const { now, randomHex } = writer.settings
  const sid = sessionIdFor(randomHex(16), writer.tag)
  if (userId === undefined) return { sid, bgn: now(), gen: 0 }
  const last = await readLastEnd(writer, userId)
  return { sid, bgn: now(), gen: Number.isFinite(last) ? last : 0, uid: userId }
}
