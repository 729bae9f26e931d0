import type { CookieTable, ResolvedConfig } from '../../config/resolved-config.ts'
import { readSentCookies } from '../../http/cookie-text.ts'
import { clearCookie, type SetCookie, setCookie } from '../../http/cookies.ts'
import type { Incoming } from '../request/incoming.ts'
import { browserBinding, isOwnBinding } from './browser-binding.ts'

/** A cookie whose value only this application can read and make. */
export interface SealedCookie<Value> {
  /** Returns the value, if this browser was given it and it has not expired. */
  read(config: ResolvedConfig, request: Incoming): Promise<Value | null>
  /**
   * Returns the cookies that store a value, the one that binds it to the browser among them.
   *
   * @param maxAge in seconds
   */
  write(
    config: ResolvedConfig,
    request: Incoming,
    value: Value,
    maxAge: number,
  ): Promise<readonly SetCookie[]>
  /** Returns the cookie that removes the value, if the request has one. */
  clear(request: Incoming): readonly SetCookie[]
}

/** The definition of a sealed cookie. */
interface SealedCookieOptions<Value> {
  /** Its row in the table of cookies, which names it and its attributes. */
  readonly option: keyof CookieTable
  /** Whether another browser that is given the cookie cannot use it. */
  readonly isBoundToBrowser: boolean
  /** Reads the value from the claims. Returns null if it does not understand them. */
  parse(claims: Readonly<Record<string, unknown>>): Value | null
}

/** More than a browser has of one name, unless another host plants them. */
const MAX_OPENED = 16

/** Defines a cookie that is sealed for its own name, so that no other sealed value can take its place. */
export function sealedCookie<Value extends object>({
  option,
  isBoundToBrowser,
  parse,
}: SealedCookieOptions<Value>): SealedCookie<Value> {
  return {
    async read(config, request) {
      const { name } = request.cookieOptions[option]
      const sealer = config.sealerFor(name)
      const current = request.cookies[name]
      if (current === undefined) return null
      // Another host may have planted some of that name. The current one may have been set by this response.
      const sent = readSentCookies(request.headers.get('cookie'), name)
        .filter(cookie => cookie.name === name)
        .slice(-MAX_OPENED)
        .map(({ value }) => value)
      for (const text of new Set([current, ...sent])) {
        const opened = await sealer.open(text, config.ports.now())
        if (typeof opened === 'string') continue
        const value = parse(opened.claims)
        const { browser } = opened.claims
        const bound = typeof browser === 'string' ? browser : undefined
        const isOwn = !isBoundToBrowser || (await isOwnBinding(config, request, bound, name))
        if (value && isOwn) return value
      }
      return null
    },
    async write(config, request, value, maxAge) {
      const cookie = request.cookieOptions[option]
      const binding = isBoundToBrowser ? await browserBinding(config, request) : null
      const claims = { ...value, ...(binding && { browser: binding.value ?? null }) }
      const sealer = config.sealerFor(cookie.name)
      const sealed = await sealer.seal(claims, maxAge, config.ports.now())
      return [...(binding?.cookies ?? []), setCookie(cookie, sealed, { maxAge })]
    },
    clear({ cookies, cookieOptions }) {
      const cookie = cookieOptions[option]
      return cookies[cookie.name] === undefined ? [] : [clearCookie(cookie)]
    },
  }
}
