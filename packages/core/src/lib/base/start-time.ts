/** When something started, by the clock of the store. */
export interface StartTime {
  /** In milliseconds. */
  readonly time: number
  /**
   * Entries of users, with their times, that existed by then and are not older: of the same millisecond, or from before
   * the clock was put back. Nearly always there are none.
   */
  readonly existing?: readonly (readonly [key: string, time: number])[]
}
