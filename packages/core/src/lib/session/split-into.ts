/** How many items one call of a store gets at most. */
const CHUNK = 1000

/** The items in parts of at most that size: a user may have any number of sessions. */
export function* splitInto<T>(all: readonly T[], size: number = CHUNK): Iterable<readonly T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size)
}
