import { AdapterError } from '../base/errors.ts'
import { createLogger, type LoggerInstance } from '../base/logger.ts'
import { randomHex } from '../crypto/random.ts'

/** How a process learns of revocations. */
export interface RevocationSettings {
  /** Whether it holds them, or queries the store when a session is renewed. */
  readonly check?: 'always' | 'on-renewal' | undefined
  /** How far behind the store this process may be, in seconds. */
  readonly pollSeconds?: number | undefined
  /** The same while the store does not respond. */
  readonly maxStaleSeconds?: number | undefined
  /** Whether sessions are rejected or accepted after that. */
  readonly whenStale?: 'reject' | 'accept' | undefined
  /** How long sessions live, in seconds. */
  readonly maxAge: number
  /** After how long they are renewed. */
  readonly updateAge: number
  /** The audience of sessions in cookies, if there is one. */
  readonly audience?: string | undefined
  readonly now?: () => number
  readonly randomHex?: (bytes: number) => string
  readonly logger?: Partial<LoggerInstance> | undefined
  readonly debug?: boolean | undefined
}

/** The settings of a view with their defaults, all times in milliseconds. */
export interface ViewSettings {
  readonly check: 'always' | 'on-renewal'
  readonly pollMilliseconds: number
  readonly maxStaleMilliseconds: number
  readonly whenStale: 'reject' | 'accept'
  readonly updateAge: number
  readonly now: () => number
  readonly randomHex: (bytes: number) => string
  /** Logs a failure of the store that is not thrown. */
  readonly report: (message: string, cause: unknown) => void
}

export const SECOND = 1000
export const MINUTE: number = 60 * SECOND
export const HOUR: number = 60 * MINUTE

/** Completes the settings of an application. */
export function resolveSettings(settings: RevocationSettings): ViewSettings {
  const logger = createLogger(settings)
  return Object.freeze({
    check: settings.check ?? 'always',
    pollMilliseconds: (settings.pollSeconds ?? 10) * SECOND,
    maxStaleMilliseconds: (settings.maxStaleSeconds ?? 300) * SECOND,
    whenStale: settings.whenStale ?? 'reject',
    updateAge: settings.updateAge * SECOND,
    now: settings.now ?? Date.now,
    randomHex: settings.randomHex ?? randomHex,
    report: (message: string, cause: unknown) => logger.error(new AdapterError(message, { cause })),
  })
}
