import { parseCookie, stringifySetCookie } from 'cookie'

/** The attributes of a cookie, by the names of RFC 6265. */
export interface CookieAttributes {
  domain?: string
  expires?: Date
  httpOnly?: boolean
  /** Seconds. */
  maxAge?: number
  partitioned?: boolean
  path?: string
  priority?: 'low' | 'medium' | 'high'
  sameSite?: boolean | 'lax' | 'strict' | 'none'
  secure?: boolean
  encode?(value: string): string
}

/** A cookie of the library: its name, and the attributes it is always sent with. */
export interface CookieOption {
  name: string
  options: CookieAttributes
}

/** A cookie to be set, as data. */
export interface SetCookie {
  readonly name: string
  readonly value: string
  readonly options: CookieAttributes
}

/** The cookies of a request, by name. The first of several with one name counts. */
export type CookieJar = Readonly<Record<string, string | undefined>>

/** Parses a `Cookie` header. A value whose percent-encoding is broken is kept as it is. */
export function parseCookies(header: string | null | undefined): CookieJar {
  return header ? parseCookie(header) : emptyJar
}

const emptyJar: CookieJar = Object.freeze(Object.create(null))

/** Writes the value of one `Set-Cookie` header. */
export function serializeCookie({ name, value, options }: SetCookie): string {
  const { encode } = options
  return stringifySetCookie({ ...options, name, value }, encode && { encode })
}

/** Sets a cookie of the library. */
export function setCookie(
  cookie: CookieOption,
  value: string,
  attributes?: CookieAttributes,
): SetCookie {
  return { name: cookie.name, value, options: { ...cookie.options, ...attributes } }
}

/** Removes a cookie. The attributes must be those it was set with, or browsers keep it. */
export function clearCookie(cookie: CookieOption, name: string = cookie.name): SetCookie {
  return { name, value: '', options: { ...cookie.options, maxAge: 0 } }
}

/** The `Cookie` header that a browser will send once it has been told of some cookies. */
export function changedCookies(
  header: string | null | undefined,
  cookies: readonly SetCookie[],
): string {
  const names = new Set(cookies.map(({ name }) => name))
  const kept = (header ?? '')
    .split(';')
    .map(pair => pair.trim())
    .filter(pair => pair !== '' && !names.has(pair.slice(0, pair.indexOf('='))))
  const set = cookies
    .filter(({ options }) => options.maxAge !== 0)
    .map(cookie => serializeCookie(cookie).split(';', 1)[0])
  return [...kept, ...set].join('; ')
}
