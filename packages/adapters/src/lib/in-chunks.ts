/** So many at once that neither a client nor a server is kept busy by one caller alone. */
export const CHUNK = 1000

/** The items in parts of at most that size. */
export function* splitInto<T>(all: readonly T[], size: number): Iterable<readonly T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size)
}

/** The results of an action on each item, a chunk at a time: a user may have any number of sessions. */
export async function inChunks<T, Result>(
  all: readonly T[],
  act: (item: T) => Promise<Result>,
): Promise<Result[]> {
  let results: Result[] = []
  for (const part of splitInto(all, CHUNK)) {
    results = results.concat(await Promise.all(part.map(act)))
  }
  return results
}
