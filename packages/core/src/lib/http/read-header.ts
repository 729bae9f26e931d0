import type { SentHeaders } from './incoming.ts'

/** The headers of a request: the web's own, or an object such as Node's, with names in lower case. */
export type RequestHeaders =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** One header of a request. Several of one name are joined as they would stand in one. */
export function readHeader(headers: RequestHeaders, name: string): string | null {
  if (isHeaders(headers)) return headers.get(name)
  const value = headers[name]
  if (typeof value === 'string') return value
  return value ? value.join(name === 'cookie' ? '; ' : ', ') : null
}

/** Headers by the interface that the engine reads. */
export function sentHeaders(headers: RequestHeaders): SentHeaders {
  if (isHeaders(headers)) return headers
  const names = Object.keys(headers).filter(name => headers[name] !== undefined)
  return {
    get: name => readHeader(headers, name),
    has: name => headers[name] !== undefined,
    *[Symbol.iterator]() {
      for (const name of names) yield [name, readHeader(headers, name) ?? '']
    },
  }
}

/** Told by what it does: an edge runtime or a test environment may have a `Headers` of its own. */
export function isHeaders(headers: RequestHeaders): headers is Headers {
  return typeof headers['get'] === 'function'
}
