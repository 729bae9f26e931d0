import { MAX_PARTS } from './find-session-cookie.ts'
import { decodeValue, readCookies, readTrustedCookies, type SentCookie } from './read-cookies.ts'
import { CHUNK_SIZE } from './write-session-cookie.ts'

/** How many values of one name are looked at, beside the last. */
const MAX_VALUES = 4
/** The same if all sessions are ended: more than a browser sends to one URL, unless an attacker tries. */
export const MAX_ENDED = 32

/**
 * The values of a cookie that is sealed, each once: opening them finds the real one, also behind planted ones. The first
 * few and the last, however many were sent.
 */
export function readValues(header: string | null | undefined, name: string): readonly string[] {
  return valuesOf(readTrustedCookies(header, name), name)
}

function valuesOf(
  cookies: readonly SentCookie[],
  name: string,
  limit: number = MAX_VALUES,
): readonly string[] {
  const values = allValuesOf(cookies, name)
  const last = values.length > limit ? values.slice(-1) : []
  return [...values.slice(0, limit), ...last].map(decodeValue)
}

function allValuesOf(cookies: readonly SentCookie[], name: string): readonly string[] {
  const sent = cookies.filter(cookie => cookie.name === name && cookie.value !== '')
  return [...new Set(sent.map(({ value }) => value))]
}

/**
 * Other candidates for the session token, if the one that was found is invalid: an attacker with a sibling host can
 * plant cookies in front of the real one, or parts behind it. There are few ways to read them, however many were
 * planted.
 *
 * @param limit how many values of one name are looked at, beside the last
 */
export function otherTokens(
  header: string | null | undefined,
  name: string,
  found: string,
  limit: number = MAX_VALUES,
): readonly string[] {
  const cookies = readTrustedCookies(header, name).filter(({ value }) => value !== '')
  const parts: (readonly string[])[] = []
  for (let at = 0; at < MAX_PARTS; at++) {
    const values = valuesOf(cookies, `${name}.${at}`, limit)
    if (values.length === 0) break
    parts.push(values)
  }
  const joined = limit > MAX_VALUES ? combineParts(parts) : alignParts(parts)
  const candidates = new Set([
    ...valuesOf(cookies, name, limit),
    ...joined.flatMap(each => [each.join(''), upToShort(each).join('')]),
  ])
  return [...candidates].filter(each => each !== '' && each !== found).slice(0, 2 * limit)
}

/** The first of each part together, and the last. */
function alignParts(parts: readonly (readonly string[])[]): readonly (readonly string[])[] {
  if (parts.length === 0) return []
  return [parts.map(([first = '']) => first), parts.map(values => values.at(-1) ?? '')]
}

/** Every way to put parts together. All but the last are full, and a header holds few of those. */
function combineParts(parts: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const complete: (readonly string[])[] = []
  let begun: readonly (readonly string[])[] = [[]]
  for (const values of parts) {
    const longer = begun.flatMap(before => values.map(value => [...before, value]))
    complete.push(...longer.slice(0, MAX_ENDED))
    begun = longer.filter(each => (each.at(-1) ?? '').length >= CHUNK_SIZE).slice(0, MAX_ENDED)
  }
  return complete
}

/**
 * Whether the real session token may be among those that {@link otherTokens} leaves out: more values came of one name than
 * it looks at, or several of one part, which can be put together in more ways than it tries.
 */
export function mayHideTokens(header: string | null | undefined, name: string): boolean {
  const cookies = readTrustedCookies(header, name)
  const partNames = Array.from({ length: MAX_PARTS }, (_, at) => `${name}.${at}`)
  return (
    allValuesOf(cookies, name).length > MAX_VALUES + 1 ||
    partNames.some(part => allValuesOf(cookies, part).length > 1)
  )
}

/**
 * Whether a name came more than once, or a whole session beside one in parts. Then one of the cookies was set for other hosts
 * or paths, perhaps by someone else, and whatever we set would take the place of only one of them. Short parts beside a whole
 * session are what is left of an earlier one: the first part of a session is full.
 */
export function cameTwice(header: string | null | undefined, name: string): boolean {
  const cookies = readCookies(header, name).filter(
    cookie => cookie.name === name || cookie.name.startsWith(`${name}.`),
  )
  const names = new Set(cookies.map(cookie => cookie.name))
  const isInParts = cookies.some(
    cookie => cookie.name === `${name}.0` && decodeValue(cookie.value).length >= CHUNK_SIZE,
  )
  return names.size < cookies.length || (names.has(name) && isInParts)
}

/** A part that is not full is the last one. */
function upToShort(parts: readonly string[]): readonly string[] {
  const end = parts.findIndex(part => part.length < CHUNK_SIZE)
  return end === -1 ? parts : parts.slice(0, end + 1)
}
