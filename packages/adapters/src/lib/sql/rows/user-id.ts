export const UUID: RegExp = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** Whether two ids are the same. UUIDs are so in either case; other ids must be equal to the letter. */
export function isSameId(stored: string, given: string): boolean {
  return stored === given || (UUID.test(given) && stored === given.toLowerCase())
}
