import { NEXT } from './pass-on.ts'

const REWRITE = 'x-middleware-rewrite'

/** For answers that are about one visitor. */
export const PRIVATE = { 'cache-control': 'private, no-cache, no-store' }

/** Whether a response lets the request pass, here or to another path. */
export function passesOn({ headers }: Response): boolean {
  return headers.has(NEXT) || headers.has(REWRITE)
}

/** Not by `instanceof` alone: there may be several classes of that name in one process. */
export function isResponse(value: unknown): value is Response {
  return (
    value instanceof Response ||
    (typeof value === 'object' && value !== null && 'headers' in value && 'status' in value)
  )
}
