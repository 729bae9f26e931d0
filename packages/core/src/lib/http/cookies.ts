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

/** The cookies of a request, by name. The first of several with one name counts, or none if that is `__Host-…`. */
export type CookieJar = Readonly<Record<string, string | undefined>>

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
