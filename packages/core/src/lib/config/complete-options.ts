import { definedMembers } from '../base/defined-members.ts'
import type { SessionOptions } from './options.ts'

// The defaults of options. The check receives the same completed values as the code that uses them, so the two cannot
// differ.

const SESSION_DEFAULTS: { remember: true; hashTokens: false; maxConcurrent: number } = {
  remember: true,
  hashTokens: false,
  maxConcurrent: Number.POSITIVE_INFINITY,
}

const REVOCATION_DEFAULTS = {
  check: 'always',
  whenStale: 'reject',
  pollSeconds: 10,
  maxStaleSeconds: 300,
} as const

type RevocationOptions = Exclude<NonNullable<SessionOptions['revocation']>, false>

/** Options with a value for each that has a default. */
export type Complete<Options, Defaults> = Omit<Options, keyof Defaults> & {
  readonly [Name in keyof Options & keyof Defaults]-?: Exclude<Options[Name], undefined>
}

/** Completes the options of sessions that no session check needs. */
export function completeSession(
  options: SessionOptions | undefined,
): Complete<SessionOptions, typeof SESSION_DEFAULTS> {
  return complete(SESSION_DEFAULTS, options)
}

/** Completes how sessions in cookies are ended before they expire. */
export function completeRevocation(
  options: RevocationOptions | undefined,
): Complete<RevocationOptions, typeof REVOCATION_DEFAULTS> {
  return complete(REVOCATION_DEFAULTS, options)
}

/** Completes options. One that is undefined has its default. */
export function complete<Options extends object, Defaults extends object>(
  defaults: Defaults,
  options: Options | undefined,
): Complete<Options, Defaults> {
  const completed: unknown = { ...defaults, ...definedMembers(options) }
  return completed as Complete<Options, Defaults> // as just made
}
