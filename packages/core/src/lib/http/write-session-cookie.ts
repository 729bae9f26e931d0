import { type CookieAttributes, type CookieOption, clearCookie, type SetCookie } from './cookies.ts'

/**
 * The longest value that is put into one cookie. Browsers refuse cookies over 4096 bytes, of which
 * the name and the attributes take a share.
 */
export const CHUNK_SIZE = 3936

/** A token, and until when the browser keeps it. */
interface KeptToken {
  readonly token: string
  readonly expires: Date
  /** Until it is closed, whatever the date. */
  readonly isTemporary?: boolean
}

/** The cookies that store a session token, and remove what an earlier one left behind. */
export function storeSession(
  cookie: CookieOption,
  { token, expires, isTemporary }: KeptToken,
  arrived: readonly string[],
): readonly SetCookie[] {
  const options = keptUntil(cookie.options, isTemporary ? null : expires)
  // As it nearly always is: one cookie, which replaces one of the same name, or none.
  if (token.length <= CHUNK_SIZE && arrived.every(name => name === cookie.name)) {
    return [{ name: cookie.name, value: token, options }]
  }
  const written = split(token).map((value, index, all) => ({
    name: all.length === 1 ? cookie.name : `${cookie.name}.${index}`,
    value,
    options,
  }))
  const kept = new Set(written.map(each => each.name))
  const stale = arrived.filter(name => !kept.has(name))
  return [...stale.map(name => clearCookie(cookie, name)), ...written]
}

/** An application may have configured how long cookies are kept: that is for those that are. */
function keptUntil(options: CookieAttributes, expires: Date | null): CookieAttributes {
  if (expires) return { ...options, expires }
  const { expires: _, maxAge: __, ...rest } = options
  return rest
}

/** The cookies that remove a session token. */
export function clearSession(
  cookie: CookieOption,
  arrived: readonly string[],
): readonly SetCookie[] {
  return arrived.map(name => clearCookie(cookie, name))
}

function split(token: string): readonly string[] {
  if (token.length <= CHUNK_SIZE) return [token]
  const chunks: string[] = []
  for (let at = 0; at < token.length; at += CHUNK_SIZE)
    chunks.push(token.slice(at, at + CHUNK_SIZE))
  return chunks
}

/**
 * Tells the application's pages that who is signed in, or what is known about them, has changed.
 * Scripts may read it, so it is random and says nothing else; forging it only makes a page ask once
 * more. It has the session cookie's scope, and lasts until the browser closes.
 */
export function markChange(
  { options }: CookieOption,
  randomHex: (bytes: number) => string,
): SetCookie {
  const { httpOnly, expires, maxAge, encode, ...attributes } = options
  const prefix = attributes.secure ? '__Secure-' : ''
  return { name: `${prefix}siteauth.changed`, value: randomHex(8), options: attributes }
}
