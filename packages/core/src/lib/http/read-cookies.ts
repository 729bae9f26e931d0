/** A cookie as a browser sent it. */
export interface SentCookie {
  readonly name: string
  /** May be percent-encoded: {@link decodeValue}. */
  readonly value: string
}

/** The form of a cookie's name: RFC 9110 §5.6.2. */
export const TOKEN: RegExp = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/
/** The same for each character, by its code. */
const IS_TOKEN = /* @__PURE__ */ Array.from({ length: 128 }, (_, code) =>
  TOKEN.test(String.fromCharCode(code)),
)

/** The prefix of names that browsers accept only from the host itself. */
const HOST_PREFIX = '__Host-'
const SEMICOLON = 0x3b
const EQUALS = 0x3d

/**
 * Parses a `Cookie` header. This is the only parser: browsers and all readers have to agree on where a
 * name begins, or a name without a prefix here would be one with a prefix there. So only spaces and tabs
 * around names and values are ignored, as in RFC 6265 §5.2, and cookies whose names are not tokens are
 * skipped.
 *
 * @param prefix a token, or nothing. Cookies whose names start otherwise are skipped without being copied.
 */
export function readCookies(header: string | null | undefined, prefix = ''): readonly SentCookie[] {
  const cookies: SentCookie[] = []
  if (!header) return cookies
  let at = header.indexOf(prefix)
  while (at !== -1 && at < header.length) {
    if (startsPair(header, at)) {
      const start = skipBlanks(header, at)
      const nameEnd = skipToken(header, start + prefix.length)
      const equals = skipBlanks(header, nameEnd)
      const pairEnd = findPairEnd(header, equals)
      if (nameEnd > start && header.charCodeAt(equals) === EQUALS) {
        const name = header.slice(start, nameEnd)
        cookies.push({ name, value: trimBlanks(header, equals + 1, pairEnd) })
      }
      at = header.indexOf(prefix, pairEnd + 1)
    } else {
      at = header.indexOf(prefix, at + prefix.length)
    }
  }
  return cookies
}

/**
 * The cookies of a `Cookie` header that can be trusted. A browser keeps one cookie of a `__Host-` name, or
 * two if one is partitioned: if two arrive, it is unknown which of them was set last, and neither is returned.
 */
export function readTrustedCookies(
  header: string | null | undefined,
  prefix = '',
): readonly SentCookie[] {
  const cookies = readCookies(header, prefix)
  if (cookies.length < 2 || !canStartHostName(prefix)) return cookies
  const names = new Set<string>()
  const repeated = new Set<string>()
  for (const { name } of cookies) (names.has(name) ? repeated : names).add(name)
  return cookies.filter(({ name }) => !(name.startsWith(HOST_PREFIX) && repeated.has(name)))
}

function canStartHostName(prefix: string): boolean {
  return prefix.length < HOST_PREFIX.length || prefix.startsWith(HOST_PREFIX)
}

/** Whether a name starts here, rather than in the middle of another name or of a value. */
function startsPair(header: string, at: number): boolean {
  let before = at - 1
  while (before >= 0 && isBlank(header.charCodeAt(before))) before--
  return before < 0 || header.charCodeAt(before) === SEMICOLON
}

function findPairEnd(header: string, at: number): number {
  const end = header.indexOf(';', at)
  return end === -1 ? header.length : end
}

function skipBlanks(header: string, at: number): number {
  let end = at
  while (isBlank(header.charCodeAt(end))) end++
  return end
}

function skipToken(header: string, at: number): number {
  let end = at
  while (IS_TOKEN[header.charCodeAt(end)]) end++
  return end
}

/** A part of a text without the spaces and tabs around it. */
export function trimBlanks(text: string, from = 0, to: number = text.length): string {
  const start = skipBlanks(text, from)
  let end = to
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}

/** Percent-decodes the value of a cookie. One whose encoding is broken is kept as it is. */
export function decodeValue(value: string): string {
  // Not by catching the error: a request can have hundreds of broken values, and an error takes longer than the rest.
  return value.includes('%') && IS_ENCODED.test(value) ? decodeURIComponent(value) : value
}

/** Percent-encoded UTF-8: RFC 3629 §4 specifies which bytes may follow each other. */
const IS_ENCODED = /* @__PURE__ */ (() => {
  const next = '%[89ab][\\da-f]'
  const sequences = [
    '%[0-7][\\da-f]',
    `%(?:c[2-9a-f]|d[\\da-f])${next}`,
    `%e0%[ab][\\da-f]${next}`,
    `%e[1-9abcef]${next}${next}`,
    `%ed%[89][\\da-f]${next}`,
    `%f0%[9ab][\\da-f]${next}${next}`,
    `%f[1-3]${next}${next}${next}`,
    `%f4%8[\\da-f]${next}${next}`,
  ]
  return new RegExp(`^(?:[^%]|${sequences.join('|')})*$`, 'is')
})()
