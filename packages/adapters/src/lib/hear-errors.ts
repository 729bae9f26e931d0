/** What emits events, as Node has it, or what may do so. */
interface MaybeEmitter {
  on?(event: 'error', listener: () => void): unknown
}

// Several adapters may be made for one pool: by hot reloading, by tests, by one per request.
const heard = new WeakSet<object>()

/**
 * Listens, once, to what a pool, a client or a connection says of having lost its server. Each is
 * replaced or connects again by itself, and a statement that is lost says so; unheard, the event would end the
 * process. Others who listen hear it as well.
 */
export function hearErrors(source: object & MaybeEmitter): void {
  if (heard.has(source)) return
  heard.add(source)
  source.on?.('error', () => {})
}
