import { TooManyAttempts } from '../../base/errors.ts'
import type { LoggerInstance } from '../../base/logger.ts'
import { asThrown } from './failure.ts'

/** Tells the log of a failure. */
export function logFailure(logger: LoggerInstance, reason: unknown): void {
  // Whoever tries too often would fill the log as well.
  if (reason instanceof TooManyAttempts) logger.debug(reason.message)
  else logger.error(asThrown(reason))
}
