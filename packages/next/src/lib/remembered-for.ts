/** For how long a read is remembered, in milliseconds: as long as rendering a page may take. */
const REMEMBERED_FOR = 60_000

interface Stand {
  readonly since: number
  readonly key: object
}

const stands = new WeakMap<object, Stand>()

/**
 * What stands for a request where its session is remembered: itself, and after a while something new. A
 * request may stay open for hours, as a stream does, and its session end meanwhile.
 */
export function rememberedFor(request: object, now: number): object {
  const known = stands.get(request)
  if (known && now - known.since < REMEMBERED_FOR) return known.key
  const key = known ? {} : request
  stands.set(request, { since: now, key })
  return key
}
