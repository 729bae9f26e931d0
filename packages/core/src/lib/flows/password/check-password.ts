import { TooManyAttempts } from '../../base/errors.ts'
import type { StoredPassword } from '../../base/model.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { UnreadableHash, type Verdict } from '../../passwords/hasher.ts'
import type { PasswordConfig } from '../../providers/password.ts'
import { hasherOf } from './password-store.ts'

/** No password is longer, and some old kinds of hashes take time with every character. */
const LONGEST = 4096

/** Whoever came later would wait for longer than anybody looks at a page. */
const MOST_WAITING = 100
const RETRY_AFTER = 10

/** How often the log says so, in milliseconds. */
const SAY_EVERY = 60_000
const said = new WeakMap<PasswordConfig, number>()

/** Throws if too many are waiting already. To be asked before an attempt is counted: this is none. */
export function demandTurn({ ports, logger }: ResolvedConfig, provider: PasswordConfig): void {
  if (hasherOf(provider).waiting() < MOST_WAITING) return
  const now = ports.now()
  if (now - (said.get(provider) ?? Number.NEGATIVE_INFINITY) >= SAY_EVERY) {
    said.set(provider, now)
    logger.error(
      new Error(
        `${MOST_WAITING} passwords of "${provider.id}" are waiting to be checked, and others are turned away. Unless ` +
          'this is an attack, raise hashing.atOnce as far as there is memory, or add servers.',
      ),
    )
  }
  const failure = new TooManyAttempts('Too many passwords are waiting to be checked.')
  failure.retryAfter = RETRY_AFTER
  throw failure
}

/**
 * Checks what somebody typed against what is stored, or against nothing, which takes as long. A hash that nobody
 * can check is a fault of the application: the log says so, and a stranger does not learn who has one.
 */
export async function checkPassword(
  config: ResolvedConfig,
  provider: PasswordConfig,
  typed: string,
  stored: StoredPassword | null,
): Promise<Verdict> {
  const hasher = hasherOf(provider)
  demandTurn(config, provider) // of many at once, all have found room at first
  if (typed.length > LONGEST) return hasher.verify('', null)
  try {
    return await hasher.verify(typed, stored?.hash ?? null)
  } catch (error) {
    if (!(error instanceof UnreadableHash && stored)) throw error
    const whose = `The password of the user ${JSON.stringify(stored.userId)} cannot be checked.`
    config.logger.error(new Error(`${whose} ${error.message}`))
    return 'wrong'
  }
}
