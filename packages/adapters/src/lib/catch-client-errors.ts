/** A pool, client or connection, which emits events in Node. */
interface MaybeEmitter {
  on?(event: 'error', listener: () => void): unknown
}

// Several adapters may be created for one pool: by hot reloading, by tests, or one per request.
const seen = new WeakSet<object>()

/**
 * Adds a listener, once, for the `error` event of a pool, client or connection that lost its server.
 * Each is replaced or reconnects on its own, and a lost statement fails by itself; without a listener, the
 * event would crash the process. Other listeners still receive it.
 */
export function catchClientErrors(source: object & MaybeEmitter): void {
  if (seen.has(source)) return
  seen.add(source)
  source.on?.('error', () => {})
}
