import { primitives } from '#crypto'
import { WebAuthnVerificationError } from '../../base/errors.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { toBase64Url } from '../../crypto/encoding.ts'
import { PURPOSES } from '../../crypto/purposes.ts'
import { CHALLENGE_MAX_AGE } from '../../webauthn/challenge.ts'
import { createUsedChallenges } from '../../webauthn/used-challenges.ts'
import { passkeyStore } from './passkey-store.ts'

/** Throws unless this process sees the challenge for the first time. */
export function claimChallenge(config: ResolvedConfig, challenge: string): void {
  config.runtime.challenges ??= createUsedChallenges()
  if (!config.runtime.challenges.claim(challenge, config.ports.now())) {
    throw new WebAuthnVerificationError('The challenge has already been answered.')
  }
}

/**
 * Throws unless the store sees the challenge for the first time. A token cannot be stored twice, so
 * of two answers to one challenge, at whichever servers they arrive, one is refused.
 */
export async function storeClaim(config: ResolvedConfig, challenge: string): Promise<void> {
  const { createVerificationToken } = passkeyStore(config)
  if (!createVerificationToken) return
  // Not the hash of a token that is sent by email: this one cannot be used to sign in.
  const token = toBase64Url(
    await primitives.digest('SHA-256', `${PURPOSES.challenge} ${challenge}`),
  )
  const expires = new Date(config.ports.now() + 2 * CHALLENGE_MAX_AGE * 1000)
  try {
    await createVerificationToken({ identifier: 'webauthn-challenge', token, expires })
  } catch (error) {
    const message = 'The challenge has already been answered, or the store cannot tell.'
    throw new WebAuthnVerificationError(message, { cause: error })
  }
}
