/**
 * Merges an application's options over a provider's own values. Plain objects are merged, everything else replaces:
 * arrays as a whole, and instances such as keys and transports as they are.
 */
export function mergeOptions<T extends object>(base: T, options: object | undefined): T {
  return merge(base, options ?? {}) as T // the members of T, some replaced by the application's
}

function merge(base: object, over: object): object {
  const merged: Record<PropertyKey, unknown> = { ...base }
  for (const key of Reflect.ownKeys(over)) {
    // Never a member to be set: it would change what the object inherits.
    if (key === '__proto__') continue
    const value = Reflect.get(over, key)
    if (value === undefined) continue
    const below = merged[key]
    merged[key] = isPlain(value) ? merge(isPlain(below) ? below : {}, value) : value
  }
  return merged
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
