import { TooManyAttempts } from '../../base/errors.ts'
import type { StoredPassword } from '../../base/stores.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { type PasswordVerification, UnreadableHash } from '../../passwords/hasher.ts'
import type { PasswordConfig } from '../../providers/password.ts'
import { requireAttempt } from '../limits/require-attempt.ts'
import type { Incoming } from '../request/incoming.ts'
import { getHasher } from './hasher.ts'

/** An attempt that was counted. Only with one can a password be checked. */
export interface PasswordAttempt {
  /**
   * Checks what was entered against what is stored, or against nothing, which takes as long. If it is right,
   * earlier attempts no longer count against the account.
   */
  check(entered: string, stored: StoredPassword | null): Promise<PasswordVerification>
}

/**
 * Counts an attempt at the password of an address. Throws a `TooManyAttempts` if there were too many, or if too many
 * passwords are waiting to be checked: then nothing is counted, since nothing could have been guessed.
 */
export async function startPasswordAttempt(
  config: ResolvedConfig,
  request: Incoming,
  provider: PasswordConfig,
  address: string,
): Promise<PasswordAttempt> {
  requireTurn(config, provider)
  const attempt = await requireAttempt(config, request, {
    kind: 'password',
    provider: provider.id,
    accounts: [address],
  })
  return {
    async check(entered, stored) {
      const verification = await checkPassword(config, provider, entered, stored)
      if (verification !== 'wrong' && stored) await attempt.succeeded()
      return verification
    },
  }
}

/** No password is longer, and some old kinds of hashes take time with every character. */
const MAX_PASSWORD_LENGTH = 4096

/** A later one would wait for longer than anyone looks at a page. */
const MAX_WAITING = 100
const RETRY_AFTER = 10

/** How often it is logged, in milliseconds. */
const LOG_INTERVAL = 60_000

/** Throws if too many are waiting already. */
function requireTurn({ ports, logger, runtime }: ResolvedConfig, provider: PasswordConfig): void {
  if (getHasher(provider).waiting() < MAX_WAITING) return
  const now = ports.now()
  if (now - (runtime.crowdLoggedAt.get(provider.id) ?? Number.NEGATIVE_INFINITY) >= LOG_INTERVAL) {
    runtime.crowdLoggedAt.set(provider.id, now)
    logger.error(
      new Error(
        `${MAX_WAITING} passwords of "${provider.id}" are waiting to be checked, and others are turned away. Unless ` +
          'this is an attack, raise hashing.concurrency as far as there is memory, or add servers.',
      ),
    )
  }
  const failure = new TooManyAttempts('Too many passwords are waiting to be checked.')
  failure.retryAfter = RETRY_AFTER
  throw failure
}

/**
 * Checks the password that was entered. A hash that cannot be checked is a fault of the application: it is logged,
 * and a stranger does not learn which users have one.
 */
async function checkPassword(
  config: ResolvedConfig,
  provider: PasswordConfig,
  entered: string,
  stored: StoredPassword | null,
): Promise<PasswordVerification> {
  const hasher = getHasher(provider)
  requireTurn(config, provider) // of many at once, all have found room at first
  if (entered.length > MAX_PASSWORD_LENGTH) return hasher.verify('', null)
  try {
    return await hasher.verify(entered, stored?.hash ?? null)
  } catch (error) {
    if (!(error instanceof UnreadableHash && stored)) throw error
    const whose = `The password of the user ${JSON.stringify(stored.userId)} cannot be checked.`
    config.logger.error(new Error(`${whose} ${error.message}`))
    return 'wrong'
  }
}
