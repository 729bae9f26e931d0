/** The session cookie of a request. It may be spread over `name.0`, `name.1` and so on. */
export interface ArrivedSession {
  readonly token: string
  /** The names under which it came, all of which a new value has to replace. */
  readonly names: readonly string[]
}

const SEMICOLON = 0x3b
const EQUALS = 0x3d
const DOT = 0x2e
const ZERO = 0x30
/** Sixteen parts are more than servers let through as one header. */
const LAST_PART = 15

/**
 * Finds the session token in a `Cookie` header. Only the exact name and its numbered chunks count;
 * other cookies are passed over without being parsed, since this runs on every request.
 */
export function findSession(
  header: string | null | undefined,
  name: string,
): ArrivedSession | null {
  if (!header) return null
  const names: string[] = []
  const chunks: string[] = []
  let whole: string | undefined

  for (let at = header.indexOf(name); at !== -1; at = header.indexOf(name, at)) {
    const nameEnd = endOfName(header, at + name.length)
    if (nameEnd === -1 || !startsPair(header, at)) {
      at += name.length
      continue
    }
    let end = header.indexOf(';', nameEnd)
    if (end === -1) end = header.length
    const found = header.slice(at, nameEnd)
    const sent = header.slice(nameEnd + 1, end).trim()
    at = end
    if (sent === '' || names.includes(found)) continue // the first of several counts
    const value = cookieValue(sent)
    names.push(found)
    if (found.length === name.length) whole = value
    else chunks[Number(found.slice(name.length + 1))] = value
  }

  if (whole !== undefined) return { token: whole, names }
  let token = ''
  // What stands after a gap is none of it.
  for (let part = 0; chunks[part]; part++) token += chunks[part]
  return names.length ? { token, names } : null
}

/** Whether a cookie's name starts here, rather than in the middle of another name or of a value. */
function startsPair(header: string, at: number): boolean {
  let before = at - 1
  while (before >= 0 && isBlank(header.charCodeAt(before))) before--
  return before < 0 || header.charCodeAt(before) === SEMICOLON
}

/**
 * Where the `=` is, if the name ends here or after the number of a chunk; -1 otherwise. A number has
 * one spelling: `.01` is not ours, and would stand beside `.1` for the same place.
 */
function endOfName(header: string, at: number): number {
  let end = at
  if (header.charCodeAt(end) === DOT) {
    const digits = end + 1
    do end++
    while (isDigit(header.charCodeAt(end)))
    if (end === digits || Number(header.slice(digits, end)) > LAST_PART) return -1
    if (header.charCodeAt(digits) === ZERO && end - digits > 1) return -1
  }
  return header.charCodeAt(end) === EQUALS ? end : -1
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** What a cookie says. A value whose percent-encoding is broken is kept as it is. */
export function cookieValue(value: string): string {
  if (!value.includes('%')) return value
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
