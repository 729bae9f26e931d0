import type { ServerResponse } from 'node:http'

/**
 * Ensures that cookies which were set on a response stay when its headers are written: Fastify hands all of its
 * own over at the end, and those would replace them.
 */
export function keepCookies(res: ServerResponse): void {
  if (kept.has(res)) return
  kept.add(res)
  const { writeHead } = res
  const write = (...given: unknown[]) => {
    const last = given.at(-1)
    const isNamed = typeof last === 'object' && last !== null && !Array.isArray(last)
    const written = isNamed ? [...given.slice(0, -1), withCookies(res, last)] : given
    return Reflect.apply(writeHead, res, written) as ServerResponse // as it was given
  }
  res.writeHead = write as ServerResponse['writeHead']
}

const kept = new WeakSet<ServerResponse>()

function withCookies(res: ServerResponse, headers: object): object {
  const entries = Object.entries(headers).map(([name, value]) => {
    if (name.toLowerCase() !== 'set-cookie') return [name, value]
    return [name, [res.getHeader('set-cookie') ?? [], value].flat()]
  })
  return Object.fromEntries(entries)
}
