import { InvalidCheck, SignOutError } from '../../base/errors.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { replaceReceivedSession } from '../../principal/end-received-sessions.ts'
import { limitSessions } from '../../principal/limit-sessions.ts'
import type { SessionLimits } from '../../session/lifetime.ts'
import type { NewSession } from '../../session/store.ts'
import type { Incoming } from '../request/incoming.ts'
import type { ApprovedIdentity } from './authorize-sign-in.ts'
import { decideSessionLimits, saysRemember } from './session-limits.ts'

/** An identity, with the limits of its session. */
interface StartedIdentity extends ApprovedIdentity {
  readonly limits: SessionLimits
}

/** The session of a sign-in. */
export interface StartedSession {
  readonly identity: StartedIdentity
  /** Null if the `jwt` callback wants no session. */
  readonly issued: NewSession | null
}

/**
 * Issues the session of a sign-in, and ends the one that the browser had. If the proof no longer holds by then, or all
 * sessions of the user were revoked meanwhile, the new session is ended, and this throws.
 */
export async function startSession(
  config: ResolvedConfig,
  request: Incoming,
  approved: ApprovedIdentity,
): Promise<StartedSession> {
  const { sessions } = request
  const limits =
    approved.limits ?? (await decideSessionLimits(config, request, saysRemember(request.body)))
  const details =
    approved.details ?? (await config.describeSession?.(request, approved.account.provider))
  // The `jwt` callback may change the user that it is given.
  const { id } = approved.user
  const issued = await sessions.issue({ ...approved, limits, details })
  try {
    // Afterwards: what is revoked or removed from now on reaches the session that there is.
    await requireProof(approved)
    await approved.attempt.requireUnrevoked(id)
  } catch (error) {
    if (issued) await sessions.revoke(issued.token)
    throw error
  }
  await endEarlierSession(config, request)
  if (issued) await limitSessions(config, request, issued)
  return { identity: { ...approved, limits }, issued }
}

async function requireProof({ stillHolds }: ApprovedIdentity): Promise<void> {
  if (stillHolds === 'cannot change' || (await stillHolds())) return
  throw new InvalidCheck(
    'The account was removed from its user while someone was signing in with it.',
  )
}

async function endEarlierSession(config: ResolvedConfig, request: Incoming): Promise<void> {
  try {
    await replaceReceivedSession(request)
  } catch (error) {
    config.logger.error(
      new SignOutError('The earlier session could not be ended.', { cause: error }),
    )
  }
}
