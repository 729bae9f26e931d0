import type { LoggerInstance, WarningCode } from '../base/logger.ts'

/** Warns of something, by the application's logger or else on the console. */
export function warn(logger: Partial<LoggerInstance> | undefined, code: WarningCode): void {
  if (logger?.warn) logger.warn(code)
  else
    void import('../base/logger.ts').then(({ createLogger }) => createLogger({ logger }).warn(code))
}
