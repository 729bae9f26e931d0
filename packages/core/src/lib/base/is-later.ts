import type { Awaitable } from './model.ts'

/**
 * Whether a value has yet to be waited for. Where it is there already, as it is on the way that most
 * session checks take, not waiting is a good part of the time they need.
 */
export function isLater<T>(value: Awaitable<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && 'then' in value
}
