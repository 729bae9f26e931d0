import type { CookieAttributes, CookieJar, SetCookie } from './cookies.ts'
import {
  decodeValue,
  readCookies,
  readTrustedCookies,
  type SentCookie,
  TOKEN,
  trimBlanks,
} from './read-cookies.ts'

/** Parses a `Cookie` header. A value whose percent-encoding is broken is kept as it is. */
export function parseCookies(header: string | null | undefined): CookieJar {
  const jar: Record<string, string> = Object.create(null)
  for (const { name, value } of readTrustedCookies(header)) {
    if (!(name in jar)) jar[name] = decodeValue(value)
  }
  return jar
}

/** The cookies that can be trusted whose names start with a prefix, decoded: each of several with one name, in their order. */
export function readSentCookies(
  header: string | null | undefined,
  prefix: string,
): readonly SentCookie[] {
  return readTrustedCookies(header, prefix).map(({ name, value }) => ({
    name,
    value: decodeValue(value),
  }))
}

const VALUE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/
const PATH = /^[\x20-\x3a\x3c-\x7e]*$/
const DOMAIN = /^\.?[\da-z]([\da-z-]*[\da-z])?(\.[\da-z]([\da-z-]*[\da-z])?)*$/i

/**
 * Writes the value of one `Set-Cookie` header, by RFC 6265. Throws if a part would end the cookie,
 * or make browsers drop it.
 */
export function serializeCookie({ name, value, options }: SetCookie): string {
  const { encode = encodeURIComponent, maxAge, domain, path, expires } = options
  const { httpOnly, secure, partitioned, priority, sameSite } = options
  let line = `${fit('name', name, TOKEN)}=${encoded(value, encode)}`
  if (maxAge !== undefined) {
    line += `; Max-Age=${fit('maxAge', String(maxAge), /^-?\d+$/)}`
  }
  if (domain) line += `; Domain=${fit('domain', domain, DOMAIN)}`
  if (path) line += `; Path=${fit('path', path, PATH)}`
  if (expires) line += `; Expires=${fit('expires', expires.toUTCString(), /GMT$/)}`
  if (httpOnly) line += '; HttpOnly'
  if (secure) line += '; Secure'
  if (partitioned) line += '; Partitioned'
  if (priority) line += `; Priority=${capitalized('priority', priority, /^(low|medium|high)$/i)}`
  if (sameSite) {
    const site = sameSite === true ? 'strict' : sameSite
    line += `; SameSite=${capitalized('sameSite', site, /^(lax|strict|none)$/i)}`
  }
  return line
}

/** Tokens, most of which are long, and numbers stay as they are. */
const UNCHANGED = /^[\w.-]*$/

function encoded(value: string, encode: (value: string) => string): string {
  const isPlain = encode === encodeURIComponent && UNCHANGED.test(value)
  return isPlain ? value : fit('value', encode(value), VALUE)
}

type Part = keyof CookieAttributes | 'name' | 'value'

function fit(part: Part, text: string, form: RegExp): string {
  if (form.test(text)) return text
  throw new TypeError(`the ${part} of a cookie is invalid`)
}

function capitalized(part: Part, text: string, form: RegExp): string {
  const word = fit(part, text, form).toLowerCase()
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** The `Cookie` header that a browser will send once it has received some cookies. */
export function changedCookies(
  header: string | null | undefined,
  cookies: readonly SetCookie[],
): string {
  // Browsers keep the last of each name: one that was set and then removed is gone.
  const latest = new Map(cookies.map(cookie => [cookie.name, cookie]))
  const others = dropCookies(header ?? '', new Set(latest.keys()))
  const set = [...latest.values()]
    .filter(({ options }) => options.maxAge !== 0)
    .map(cookie => serializeCookie(cookie).split(';', 1)[0])
  return [...others, ...set].join('; ')
}

/** The pairs of a `Cookie` header without some cookies. Those that are kept stay byte for byte. */
function dropCookies(header: string, names: ReadonlySet<string>): readonly string[] {
  return header
    .split(';')
    .map(pair => trimBlanks(pair))
    .filter(pair => pair !== '' && !names.has(readCookies(pair)[0]?.name ?? ''))
}

/**
 * The `Cookie` header that a browser will send once it has received some `Set-Cookie` headers for all paths of the site.
 *
 * @param lines their values
 * @param now in milliseconds
 */
export function cookiesAfter(
  header: string | null | undefined,
  lines: readonly string[],
  now: number = Date.now(),
): string {
  return changedCookies(
    header,
    lines.map(line => readSetCookie(line, now)),
  )
}

/** A `Set-Cookie` header, as far as the next `Cookie` header depends on it: RFC 6265 §5.2. */
function readSetCookie(line: string, now: number): SetCookie {
  const [pair = '', ...attributes] = line.split(';')
  const at = pair.indexOf('=')
  const read = (name: string) =>
    attributes
      .map(each => each.split('='))
      .findLast(([attribute = '']) => trimBlanks(attribute).toLowerCase() === name)?.[1]
  const [maxAge, expires] = [read('max-age'), read('expires')]
  const isRemoved =
    maxAge === undefined
      ? expires !== undefined && Date.parse(expires) <= now
      : /^\s*(?:-\d+|0+)\s*$/.test(maxAge)
  return {
    name: trimBlanks(pair.slice(0, at)),
    value: trimBlanks(pair.slice(at + 1)),
    // It is encoded already.
    options: { encode: value => value, ...(isRemoved && { maxAge: 0 }) },
  }
}
