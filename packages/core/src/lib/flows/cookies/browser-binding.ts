import { isHttpsSite } from '../../config/cookies.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { readTokens, repeatsToken } from '../../csrf/token.ts'
import { type CookieOption, type SetCookie, setCookie } from '../../http/cookies.ts'
import type { Incoming } from '../request/incoming.ts'

/** A value that distinguishes this browser from others, and its cookie if the browser does not have one yet. */
export interface BrowserBinding {
  /** Undefined if the application has switched off what it is made of. */
  readonly value: string | undefined
  readonly cookies: readonly SetCookie[]
}

/**
 * The value that is sealed into every attempt that a browser begins. It is the token of forms, whose cookie other
 * hosts cannot plant: an attempt that began in another browser is useless here, even if an attacker manages to plant
 * the cookie of the attempt itself.
 */
export async function browserBinding(
  config: ResolvedConfig,
  request: Incoming,
): Promise<BrowserBinding> {
  const cookie = bindingCookie(config, request)
  if (!cookie || !config.csrf) return { value: undefined, cookies: [] }
  const [existing] = await readTokens(config.csrf, request.headers.get('cookie'), cookie.name)
  if (existing) return { value: existing, cookies: [] }
  const value = config.ports.randomHex(32)
  return { value, cookies: [setCookie(cookie, await config.csrf.seal(value))] }
}

/**
 * Whether an attempt with this mark was begun in this browser. One that has no mark was begun where there is none, such as on http,
 * whose cookies can have the same names: then no other host must be able to plant its cookie.
 *
 * @param name that of the attempt's cookie; undefined if it is not one of ours
 */
export async function isOwnBinding(
  config: ResolvedConfig,
  request: Incoming,
  value: string | undefined,
  name: string | undefined,
): Promise<boolean> {
  const cookie = bindingCookie(config, request)
  if (!cookie || !config.csrf) return true
  if (value === undefined) return name?.startsWith('__Host-') ?? true
  const tokens = await readTokens(config.csrf, request.headers.get('cookie'), cookie.name)
  return tokens.some(token => repeatsToken(token, value))
}

/**
 * Null if the cookie is a strict one, which browsers do not send when another site redirects the visitor back, and no other can
 * take its place: on http, or if hosts share it.
 */
function bindingCookie(config: ResolvedConfig, request: Incoming): CookieOption | null {
  const { csrfToken: cookie, sessionToken } = request.cookieOptions
  const { domain, ...attributes } = cookie.options
  const { sameSite } = attributes
  const isStrict = sameSite === true || sameSite === 'strict'
  const isUsable = cookie.name.startsWith('__Host-') && !isStrict
  // A domain means that hosts share attempts, unless sessions have none: then any of them could begin one that ends here.
  const isShared = domain && sessionToken.options.domain
  if (isUsable || isShared || !isHttpsSite(config, request.origin)) return isStrict ? null : cookie
  // Other hosts can plant it, because the application has weakened or renamed it, or it does not come back.
  const sent = { ...attributes, ...(isStrict && { sameSite: 'lax' as const }) }
  const name = isStrict ? RETURNING : UNPLANTABLE
  return { name, options: { ...sent, path: '/', secure: true } }
}

/** The name of the cookie of the token of forms on https, unless the application says otherwise. */
const UNPLANTABLE = '__Host-authjs.csrf-token'
/** Another one, where the token of forms may have that and is to stay strict. */
const RETURNING = '__Host-siteauth.browser'
