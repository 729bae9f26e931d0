import type { ServerResponse } from 'node:http'
import { preventCaching } from './prevent-caching.ts'

/**
 * Adds cookies when the headers of a response are written: until then, handlers may replace what is set, and
 * Fastify hands all of its own headers over only at the end. No cache keeps the response.
 */
export function addCookiesLast(res: ServerResponse, lines: readonly string[]): void {
  preventCaching(res)
  const before = waiting.get(res)
  waiting.set(res, [...(before ?? []), ...lines])
  if (before) return
  const { writeHead } = res
  const write = (...given: unknown[]) => {
    const last = given.at(-1)
    const hasHeaders = typeof last === 'object' && last !== null
    const handedOver = hasHeaders ? pairsOf(last) : []
    const own = handedOver.filter(([name]) => isSetCookie(name)).map(([, value]) => value)
    const set = res.getHeader('set-cookie') ?? []
    res.setHeader('set-cookie', [set, own, waiting.get(res) ?? []].flat(2).map(String))
    const rest = handedOver.filter(([name]) => !isSetCookie(name))
    const written = hasHeaders ? [...given.slice(0, -1), writtenAs(last, rest)] : given
    return Reflect.apply(writeHead, res, written)
  }
  // Sound: it takes what it is given, and hands it on.
  res.writeHead = write as ServerResponse['writeHead']
}

const waiting = new WeakMap<ServerResponse, readonly string[]>()

type Pair = readonly [name: unknown, value: unknown]

/** Headers as `writeHead` takes them: an object, or names and values in turns. */
function pairsOf(headers: object): readonly Pair[] {
  if (!Array.isArray(headers)) return Object.entries(headers)
  return headers.flatMap((name, index) => (index % 2 ? [] : [[name, headers[index + 1]] as const]))
}

/** The same form again. */
function writtenAs(form: object, pairs: readonly Pair[]): object {
  return Array.isArray(form) ? pairs.flat() : Object.fromEntries(pairs)
}

function isSetCookie(name: unknown): boolean {
  return String(name).toLowerCase() === 'set-cookie'
}
