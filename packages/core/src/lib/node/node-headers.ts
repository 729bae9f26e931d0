import type { IncomingHttpHeaders } from 'node:http'
import type { SentHeaders } from '../http/request.ts'

// The framework has decided what these mean; the engine must not decide a second time. The rest describes a body and
// a connection that are not passed on. A name that starts with a colon is not a header: HTTP/2 sends path and method
// like this, and the web's own `Headers` reject it.
const WITHHELD =
  /^(?::.+|x-forwarded-.+|forwarded|host|connection|content-length|transfer-encoding)$/

/**
 * The headers of a request as the engine reads them: most requests need few, so they are not copied. What
 * proxies say is left out, unless it is among what counts in its stead.
 */
export class NodeHeaders implements SentHeaders {
  readonly #sent: IncomingHttpHeaders
  /** The values that replace them. */
  readonly #own: ReadonlyMap<string, string>

  constructor(sent: IncomingHttpHeaders, own: ReadonlyMap<string, string>) {
    this.#sent = sent
    this.#own = own
  }

  get(name: string): string | null {
    const own = this.#own.get(name)
    if (own !== undefined) return own
    const value: unknown = WITHHELD.test(name) ? undefined : this.#sent[name]
    if (typeof value === 'string') return value
    return Array.isArray(value) ? value.join(', ') : null
  }

  has(name: string): boolean {
    return this.get(name) !== null
  }

  *[Symbol.iterator](): Iterator<[string, string]> {
    for (const name of new Set([...Object.keys(this.#sent), ...this.#own.keys()])) {
      const value = this.get(name)
      if (value !== null) yield [name, value]
    }
  }
}
