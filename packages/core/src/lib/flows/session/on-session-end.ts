import { InvalidRequest } from '../../base/errors.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { findAbsence, getPrincipal } from '../../principal/get-principal.ts'
import type { PrincipalAbsence } from '../../principal/principal.ts'
import type { Incoming } from '../request/incoming.ts'

/**
 * The reason why a session is over: it has `expired`; it was `revoked`, by signing out for example; the visitor was
 * `not_signed_in`; or the store has not responded for five minutes, so it is `unknown`.
 */
export type SessionEndReason = 'expired' | 'revoked' | 'not_signed_in' | 'unknown'

/** Is called once, when a session is over. */
export type SessionEndListener = (reason: SessionEndReason) => void

/** How the end of a session is noticed. */
export interface SessionEndOptions {
  /** How often the store is queried, in seconds. Defaults to 10. */
  readonly checkSeconds?: number | undefined
}

const DEFAULT_CHECK_SECONDS = 10
/** For how long a store that does not respond is waited for, in milliseconds. */
const GIVE_UP_AFTER = 300_000

/**
 * Calls a listener when the session of a request is over, for connections that outlast the request. Returns how to stop
 * listening. The callbacks are called once, now: they may replace what cannot be used twice, and no cookie could keep it.
 */
export async function onSessionEnd(
  config: ResolvedConfig,
  request: Incoming,
  listener: SessionEndListener,
  { checkSeconds = DEFAULT_CHECK_SECONDS }: SessionEndOptions = {},
): Promise<() => void> {
  if (!(checkSeconds > 0 && checkSeconds <= MAX_SECONDS)) {
    throw new InvalidRequest(
      `checkSeconds: expected a number of seconds, greater than 0 and at most ${MAX_SECONDS}, found ${checkSeconds}.`,
    )
  }
  const principal = await getPrincipal(config, request)
  if (principal.kind === 'none' && principal.reason !== 'replaced') {
    notify(config, listener, reasonFor(principal.reason))
    return () => {}
  }
  return watch(config, request, listener, checkSeconds * 1000)
}

/** The longest delay of a timer. */
const MAX_SECONDS = 86_400

function watch(
  config: ResolvedConfig,
  request: Incoming,
  listener: SessionEndListener,
  interval: number,
): () => void {
  const { now } = config.ports
  let answeredAt = now()
  let isStopped = false
  let timer = wait()

  function wait() {
    const next = setTimeout(() => void check(), interval)
    // A process that has nothing else to do may end. Not all runtimes have it.
    ;(next as Partial<NodeJS.Timeout>).unref?.()
    return next
  }

  async function check(): Promise<void> {
    const reason = await findEnd()
    if (isStopped) return
    if (reason) notify(config, listener, reason)
    else timer = wait()
  }

  async function findEnd(): Promise<SessionEndReason | null> {
    try {
      const absence = await findAbsence(config, request)
      answeredAt = now()
      // The browser receives the new token in these seconds. Then the old one counts as revoked.
      return absence === null || absence === 'replaced' ? null : reasonFor(absence)
    } catch {
      return now() - answeredAt >= GIVE_UP_AFTER ? 'unknown' : null
    }
  }

  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}

/** A listener that fails must not end the process. */
function notify(
  { logger }: ResolvedConfig,
  listener: SessionEndListener,
  reason: SessionEndReason,
): void {
  try {
    listener(reason)
  } catch (error) {
    logger.error(error instanceof Error ? error : new Error(String(error)))
  }
}

const REASONS: Readonly<Record<PrincipalAbsence, SessionEndReason>> = {
  expired: 'expired',
  unknown: 'revoked',
  revoked: 'revoked',
  replaced: 'revoked',
  declined: 'revoked',
  hidden: 'not_signed_in',
  no_credential: 'not_signed_in',
  no_user: 'not_signed_in',
}

function reasonFor(absence: PrincipalAbsence): SessionEndReason {
  return REASONS[absence]
}
