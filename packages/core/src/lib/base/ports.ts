/** What the library needs from the outside world. Tests replace these, and nothing else. */
export interface Ports {
  /** The time, in milliseconds since 1970. */
  now(): number
  /** Random bytes, in lower-case hexadecimal. */
  randomHex(bytes: number): string
  /** Sends requests to providers. */
  fetch: typeof fetch
}
