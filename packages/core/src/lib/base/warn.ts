import type { LoggerInstance, WarningCode } from './logger.ts'

/** Warns of something, by the application's logger or else on the console. */
export function warn(logger: Partial<LoggerInstance> | undefined, code: WarningCode): void {
  if (logger?.warn) logger.warn(code)
  else void import('./logger.ts').then(({ createLogger }) => createLogger({ logger }).warn(code))
}
