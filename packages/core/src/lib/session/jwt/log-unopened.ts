import { JWTSessionError } from '../../base/errors.ts'
import { createLogger, type LoggerOptions } from '../../base/logger.ts'
import type { OpenFailure } from '../../crypto/opened-token.ts'
import { describeFailure } from './describe-failure.ts'

/** Tells the log why a session token was not opened. */
export function reportUnopened(failure: OpenFailure, options: LoggerOptions): void {
  const logger = createLogger(options)
  // An expired session is not worth a log entry. One that cannot be opened may be due to a changed secret.
  if (failure === 'expired') logger.debug('the session has expired')
  else logger.error(new JWTSessionError(describeFailure(failure)))
}
