import type { RevocationLog } from '../base/stores.ts'
import type { RevocationView, SessionClaims } from '../session/revocation.ts'
import { findRevoked } from './find-revoked.ts'
import { generationsOf } from './keys/generations-of.ts'
import { keysOf, sessionIdFor, tagOf, userKeys, withSessionClaims } from './keys/revocation-keys.ts'
import { createLatestExpiry } from './latest-expiry.ts'
import { createLogPoller } from './log-poller.ts'
import { createOverdueChecks, createRenewalStatusReader } from './overdue-checks.ts'
import { type RevocationSettings, resolveSettings } from './revocation-settings.ts'
import { replace, rotate } from './rotate-tokens.ts'
import { sharedLogOf } from './shared-log.ts'
import { createStartReader, firstRevocationSince } from './start-time.ts'
import { createStatusReader } from './status-reader.ts'
import { createViewChecks } from './view-checks.ts'
import {
  type RevocationWriter,
  readLastRevocation,
  revoke,
  revokeByProvider,
  revokeKeys,
  revokeToken,
  revokeUser,
} from './write-revocations.ts'

/**
 * Revokes sessions by a log, and reads which are revoked, by the settings of one configuration. The copy of the log
 * is shared by all configurations of the process.
 */
export async function openRevocationView(
  log: RevocationLog,
  options: RevocationSettings,
): Promise<RevocationView> {
  const settings = resolveSettings(options)
  const tag = await tagOf(options.audience)
  const { now, maxStaleMilliseconds, check } = settings
  const shared = sharedLogOf(log, { maxAgeSeconds: options.maxAge, maxStaleMilliseconds })
  const { health, view, pending, reader } = shared
  const poller = createLogPoller(reader, settings)
  const latest = createLatestExpiry(shared, view, poller, settings)
  const readStatus = createStatusReader(latest, view, pending, poller, settings)
  const renewalStatus = createRenewalStatusReader(readStatus, health, settings)
  const writer = Object.freeze({
    log: shared.log,
    view,
    poller,
    pending,
    readStatus,
    settings,
    tag,
    latest,
  })
  const readStart = createStartReader(shared.log, now)
  return {
    keysOf: (token, limits) => keysOf(token, tag, limits),
    withSessionClaims,
    isRevoked:
      check === 'on-renewal'
        ? createOverdueChecks(renewalStatus)
        : createViewChecks(view, poller, readStatus, health, settings),
    readStatus,
    renewalStatus,
    conditionOf: sessionKeys => ({ log, keys: generationsOf(sessionKeys) }),
    conditionOfUser: (userId, generation) => ({
      log,
      keys: userKeys(userId, tag).map(({ text: key }) => ({ key, generation })),
    }),
    begin: userId => beginSession(writer, userId),
    revoke: sessionKeys => revoke(writer, sessionKeys),
    revokeToken: sessionKeys => health.callBriefly(() => revokeToken(writer, sessionKeys)),
    cover: latest.cover,
    replace: sessionKeys => replace(writer, sessionKeys),
    rotate: sessionKeys => rotate(writer, sessionKeys),
    revokeUser: (userId, options) => revokeUser(writer, userId, options),
    lastRevocationOf: userId => readLastRevocation(writer, userId),
    readStart,
    readStartBriefly: () => health.callBriefly(readStart),
    firstRevocationSince: (start, userId) => firstRevocationSince(start, userKeys(userId, tag)),
    revokeByProvider: revocation => revokeByProvider(writer, revocation),
    revokeKeys: keys => revokeKeys(writer, keys),
    tag,
    findRevoked: listed => findRevoked(shared.log, listed),
  }
}

/** The claims of a session that begins now. */
async function beginSession(
  writer: RevocationWriter,
  userId: string | undefined,
): Promise<SessionClaims> {
  const { now, randomHex } = writer.settings
  const sid = sessionIdFor(randomHex(16), writer.tag)
  if (userId === undefined) return { sid, bgn: now(), gen: 0 }
  const last = await readLastRevocation(writer, userId)
  return { sid, bgn: now(), gen: Number.isFinite(last) ? last : 0, uid: userId }
}
