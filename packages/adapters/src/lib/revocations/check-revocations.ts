import type { NewRevocation } from '@siteauth/core/adapters'

/** A revocation that any store accepts. */
export interface CheckedRevocation {
  readonly key: string
  /** In milliseconds. */
  readonly until: number
  readonly isGeneration: boolean
  /** The lowest generation it may get; null for the time of the store. */
  readonly generation: number | null
}

/** How long a revocation is stored after its time, in milliseconds: longer than any two clocks lie apart. */
export const RETENTION_MS = 86_400_000

/**
 * Checks revocations before the store sees any of them. Each key comes once, and always in the same
 * order, so that no two batches deadlock.
 */
export function checkRevocations(
  requested: readonly NewRevocation[],
): readonly CheckedRevocation[] {
  const checked = new Map<string, CheckedRevocation>()
  for (const { key, until, isGeneration = false, generation = null } of requested) {
    if (!isKey(key)) throw new RangeError(BAD_KEY)
    const time = until instanceof Date ? until.getTime() : Number.NaN
    if (Number.isNaN(time)) throw new TypeError('a revocation needs a valid Date as `until`')
    if (generation !== null && !(Number.isSafeInteger(generation) && generation >= 0)) {
      throw new TypeError('the `generation` of a revocation must be a whole number')
    }
    const other = checked.get(key)
    checked.set(key, {
      key,
      until: Math.max(time, other?.until ?? time),
      // A revocation without a generation revokes more.
      isGeneration: isGeneration && (other?.isGeneration ?? true),
      generation: other ? findHigher(generation, other.generation) : generation,
    })
  }
  return [...checked.values()].sort((one, two) => (one.key < two.key ? -1 : 1))
}

/** Null, the clock of the store, is ahead of any generation given. */
function findHigher(one: number | null, two: number | null): number | null {
  return one === null || two === null ? null : Math.max(one, two)
}

/** Whether a revocation can have this key at all. */
export function isKey(key: unknown): key is string {
  return typeof key === 'string' && /^[!-~]{1,255}$/.test(key)
}

const BAD_KEY =
  'the key of a revocation must have 1 to 255 ASCII characters and no spaces: hash anything longer'
