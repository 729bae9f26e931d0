import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { Incoming } from '../request/incoming.ts'
import type { AllowedAttempt, Attempt } from './count-attempt.ts'

/**
 * Counts an attempt, before anything is done that takes time. Throws a `TooManyAttempts` if there were too
 * many of them.
 */
export async function requireAttempt(
  config: ResolvedConfig,
  request: Incoming,
  attempt: Attempt,
): Promise<AllowedAttempt> {
  if (!config.limits) return unlimited
  const { countAttempt } = await import('./count-attempt.ts')
  return countAttempt(config, config.limits, request, attempt)
}

const unlimited: AllowedAttempt = { succeeded: async () => {} }
