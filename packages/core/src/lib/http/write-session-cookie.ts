import { type CookieAttributes, type CookieOption, clearCookie, type SetCookie } from './cookies.ts'
import { untilBrowserCloses } from './fixed-cookies.ts'

/**
 * The longest value that is put into one cookie. Browsers refuse cookies over 4096 bytes, of which
 * the name and the attributes take a share.
 */
export const CHUNK_SIZE = 3936

/** A token, and until when the browser keeps it. */
interface CookieToken {
  readonly token: string
  readonly expires: Date
  /** Until it is closed, whatever the date. */
  readonly isTemporary?: boolean
}

/** The cookies that store a session token, and remove what an earlier one left behind. */
export function storeSession(
  cookie: CookieOption,
  { token, expires, isTemporary }: CookieToken,
  receivedNames: readonly string[],
): readonly SetCookie[] {
  const options = withExpiry(cookie.options, isTemporary ? null : expires)
  // As it nearly always is: one cookie, which replaces one of the same name, or none.
  if (token.length <= CHUNK_SIZE && receivedNames.every(name => name === cookie.name)) {
    return [{ name: cookie.name, value: token, options }]
  }
  const written = split(token).map((value, index, all) => ({
    name: all.length === 1 ? cookie.name : `${cookie.name}.${index}`,
    value,
    options,
  }))
  const names = new Set(written.map(each => each.name))
  const stale = receivedNames.filter(name => !names.has(name))
  return [...stale.map(name => clearCookie(cookie, name)), ...written]
}

/** An application may have configured how long cookies are kept: that is for those that are. */
function withExpiry(options: CookieAttributes, expires: Date | null): CookieAttributes {
  return expires ? { ...options, expires } : untilBrowserCloses(options)
}

/** The cookies that remove a session token. */
export function clearSession(
  cookie: CookieOption,
  receivedNames: readonly string[],
): readonly SetCookie[] {
  return receivedNames.map(name => clearCookie(cookie, name))
}

function split(token: string): readonly string[] {
  if (token.length <= CHUNK_SIZE) return [token]
  const chunks: string[] = []
  for (let at = 0; at < token.length; at += CHUNK_SIZE)
    chunks.push(token.slice(at, at + CHUNK_SIZE))
  return chunks
}
