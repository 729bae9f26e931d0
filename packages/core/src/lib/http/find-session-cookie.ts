import { decodeValue, readTrustedCookies } from './read-cookies.ts'

/** The session cookie of a request. It may be spread over `name.0`, `name.1` and so on. */
export interface ReceivedCookie {
  readonly token: string
  /** The names under which it came, all of which a new value has to replace. */
  readonly names: readonly string[]
}

/** Sixteen parts are more than servers let through as one header. */
export const MAX_PARTS = 16

/** The numbers of parts as names end with them. Each has one spelling: `.01` is not ours. */
const PARTS: ReadonlyMap<string, number> = /* @__PURE__ */ new Map(
  /* @__PURE__ */ Array.from({ length: MAX_PARTS }, (_, part) => [String(part), part]),
)
const DOT = 0x2e

/**
 * Finds the session token in a `Cookie` header. Only the exact name and its numbered chunks count;
 * other cookies are passed over without being copied, since this runs on every request.
 */
export function findSession(
  header: string | null | undefined,
  name: string,
): ReceivedCookie | null {
  const names: string[] = []
  const chunks: string[] = []
  let whole: string | undefined

  for (const cookie of readTrustedCookies(header, name)) {
    if (cookie.value === '') continue
    // The first of several counts.
    if (cookie.name.length === name.length) {
      if (whole !== undefined) continue
      whole = decodeValue(cookie.value)
    } else {
      const part = readPart(cookie.name, name.length)
      if (part === undefined || chunks[part] !== undefined) continue
      chunks[part] = decodeValue(cookie.value)
    }
    names.push(cookie.name)
  }

  if (whole !== undefined) return { token: whole, names }
  let token = ''
  // Parts after a gap do not belong to it.
  for (let part = 0; chunks[part]; part++) token += chunks[part]
  return names.length ? { token, names } : null
}

function readPart(name: string, at: number): number | undefined {
  return name.charCodeAt(at) === DOT ? PARTS.get(name.slice(at + 1)) : undefined
}
