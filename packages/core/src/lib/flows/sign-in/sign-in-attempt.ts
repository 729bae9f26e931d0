import type { AdapterUser, SessionCondition } from '../../base/adapter.ts'
import { InvalidCheck } from '../../base/errors.ts'
import type { StartTime } from '../../base/start-time.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { isStillSignedIn } from '../../principal/get-principal.ts'
import type { Incoming } from '../request/incoming.ts'

/**
 * An attempt to sign in. It ends, as sessions do, if all sessions of its user are revoked: otherwise the attacker who is
 * being signed out everywhere would only have to begin before that, and finish later.
 */
export interface SignInAttempt {
  /** Throws if all sessions of the user were revoked since the attempt started, by anything but the attempt itself. */
  requireUnrevoked(userId: string | undefined): Promise<void>
  /** The same. Returns how a store can check that in the step in which it links an account; empty if nothing is recorded. */
  requireCondition(userId: string): Promise<SessionCondition>
  /**
   * The earliest time of a revocation that ends what the attempt has led to, by the clock of the store; undefined if
   * revocations are not recorded.
   */
  readFirstRevocation(userId: string): Promise<number | undefined>
  /**
   * Revokes all sessions of a user, whose attempt this is: it goes on. Returns how many there were, if that is known. Null
   * if sessions cannot be revoked here.
   */
  readonly endSessions: ((userId: string) => Promise<number>) | null
}

/** When something was issued that an attempt is finished with. */
export interface IssueTime {
  /** By the clock of the store, if it was asked then. */
  readonly start: StartTime | undefined
  /** By the clock of the server that issued it, in milliseconds. */
  readonly issuedAt: number
}

/** Starts an attempt with the request that brings the proof. */
export async function startAttempt(config: ResolvedConfig): Promise<SignInAttempt> {
  return createAttempt(config, (await config.userRevocations?.readStart()) ?? null)
}

/** The time of the store, to be sealed into what is issued. Undefined if it is not known. */
export async function readIssueTime({
  userRevocations,
}: ResolvedConfig): Promise<StartTime | undefined> {
  return (await userRevocations?.readStartBriefly()) ?? undefined
}

/** The same for something that belongs to a user, as one number. The address may have no user yet. */
export async function readIssueTimeFor(
  config: ResolvedConfig,
  userId: string | undefined,
): Promise<number | undefined> {
  const start = await readIssueTime(config)
  if (!start || userId === undefined) return start?.time
  return config.userRevocations?.firstSince(start, userId)
}

/** By how much a link may seem to come from the future before its time counts as unknown, in milliseconds. */
const CLOCKS_DIFFER = 60_000

/** How far the clocks of two servers may be apart, and whole seconds as some stores keep them, in milliseconds. */
export const CLOCKS_APART: number = 5 * 60_000

/** Continues an attempt that started when something was issued: a link, a code, or a request to a provider. */
export async function resumeAttempt(
  config: ResolvedConfig,
  { start, issuedAt }: IssueTime,
): Promise<SignInAttempt> {
  if (start !== undefined) return createAttempt(config, start)
  // Issued by an earlier version, or while the store did not respond. How long ago is known as well as servers agree.
  const present = await config.userRevocations?.readStart()
  const age = Math.max(config.ports.now() - issuedAt, 0)
  if (!present) return createAttempt(config, null)
  // The links of a provider have become shorter since: nobody knows when it was issued, so any revocation ends it.
  if (issuedAt - config.ports.now() > CLOCKS_DIFFER) return createAttempt(config, { time: 1 })
  // The clock of the server that issued it may be ahead: a revocation shortly before that may have come after it.
  return createAttempt(config, { time: present.time - age - CLOCKS_APART })
}

/**
 * The attempt of a user who adds or changes a way to sign in: it ends with the session that it is made in as well, until it
 * ends all sessions of the user itself. Otherwise the session that it leads to would outlast the end of all others.
 */
export function whileSignedIn(
  attempt: SignInAttempt,
  config: ResolvedConfig,
  request: Incoming,
  user: AdapterUser,
): SignInAttempt {
  const { endSessions } = attempt
  let hasEnded = false

  async function requireSession(): Promise<void> {
    if (!hasEnded && !(await isStillSignedIn(config, request, user))) throw signedOut()
  }

  return {
    ...attempt,
    async requireUnrevoked(userId) {
      await attempt.requireUnrevoked(userId)
      await requireSession()
    },
    async requireCondition(userId) {
      await requireSession()
      return attempt.requireCondition(userId)
    },
    endSessions:
      endSessions &&
      (async userId => {
        await requireSession()
        hasEnded = true
        return endSessions(userId)
      }),
  }
}

function signedOut(): InvalidCheck {
  return new InvalidCheck('The session of the user who started this has ended. Sign in again.')
}

/** @param start null if revocations are not recorded */
function createAttempt(
  { userRevocations: revocations, endUser }: ResolvedConfig,
  start: StartTime | null,
): SignInAttempt {
  /** When the attempt itself has revoked the sessions of a user. */
  const own = new Map<string, number>()

  /** When the sessions of a user were last revoked. Throws if that ends the attempt. */
  async function readLast(userId: string): Promise<number> {
    if (!start || !revocations) return 0
    const last = await revocations.lastOf(userId)
    if (last === own.get(userId)) return last
    if (last >= (await revocations.firstSince(start, userId))) throw revoked()
    return last
  }

  async function endSessions(end: NonNullable<typeof endUser>, userId: string): Promise<number> {
    const at = start && (await revocations?.readStart())?.time
    if (at == null) return (await end(userId)).count
    const last = await readLast(userId)
    const { count, revokedAt } = await end(userId, at)
    if (revokedAt === null) return count
    // Any other time means that another caller has revoked them in between, since the store's clock had reached `at`
    // by then.
    if (revokedAt !== Math.max(last + 1, at)) throw revoked()
    own.set(userId, revokedAt)
    return count
  }

  return {
    async requireUnrevoked(userId) {
      if (userId !== undefined) await readLast(userId)
    },
    async requireCondition(userId) {
      await readLast(userId)
      if (!start || !revocations) return {}
      const last = own.get(userId) ?? (await revocations.firstSince(start, userId)) - 1
      return { unrevoked: await revocations.conditionOf(userId, last) }
    },
    async readFirstRevocation(userId) {
      if (!start || !revocations) return undefined
      const ended = own.get(userId)
      return ended === undefined ? revocations.firstSince(start, userId) : ended + 1
    },
    endSessions: endUser && (userId => endSessions(endUser, userId)),
  }
}

function revoked(): InvalidCheck {
  return new InvalidCheck(
    'All sessions of the user were revoked while someone was signing in. Sign in again.',
  )
}
