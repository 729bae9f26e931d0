/** What emits events, as Node has it, or what may do so. */
interface MaybeEmitter {
  on?(event: 'error', listener: () => void): unknown
}

// Several adapters may be made for one pool: by hot reloading, by tests, by one per request.
const heard = new WeakSet<object>()

/**
 * Listens, once, for a pool, client or connection reporting that it lost its server. Each is
 * replaced or reconnects on its own, and a lost statement fails by itself; without a listener, the
 * event would crash the process. Other listeners still hear it.
 */
export function hearErrors(source: object & MaybeEmitter): void {
  if (heard.has(source)) return
  heard.add(source)
  source.on?.('error', () => {})
}
