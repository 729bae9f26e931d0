/**
 * How far the clocks of two machines may differ, in seconds. Applies to everything that has a time of issue or of
 * expiry.
 */
export const CLOCK_TOLERANCE = 15

/** The library's access to the outside world. Tests replace these, and nothing else. */
export interface Ports {
  /** The time, in milliseconds since 1970. */
  now(): number
  /** Random bytes, in lower-case hexadecimal. */
  randomHex(bytes: number): string
  /** Sends requests to providers. */
  fetch: typeof fetch
}
