/** How far the clocks of two machines may differ, in seconds: whatever says when it was made, or when it ends. */
export const CLOCK_TOLERANCE = 15

/** What the library needs from the outside world. Tests replace these, and nothing else. */
export interface Ports {
  /** The time, in milliseconds since 1970. */
  now(): number
  /** Random bytes, in lower-case hexadecimal. */
  randomHex(bytes: number): string
  /** Sends requests to providers. */
  fetch: typeof fetch
}
