import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { repeatsToken } from '../../csrf/token.ts'
import { type SetCookie, setCookie } from '../../http/cookies.ts'
import type { Incoming } from '../request/incoming.ts'

/** What tells this browser from others, and the cookie that says so where it has none yet. */
export interface BrowserBinding {
  /** Undefined if the application has switched off what it is made of. */
  readonly value: string | undefined
  readonly cookies: readonly SetCookie[]
}

/**
 * The mark that is sealed into whatever a browser begins. It is the token of forms, whose cookie no
 * other host can plant: so an attempt that was begun elsewhere is of no use here, even if someone
 * manages to plant the cookie of the attempt itself.
 */
export async function browserBinding(
  config: ResolvedConfig,
  request: Incoming,
): Promise<BrowserBinding> {
  const cookie = bindingCookie(request)
  if (!cookie || !config.csrf) return { value: undefined, cookies: [] }
  const existing = await config.csrf.read(request.cookies[cookie.name])
  if (existing) return { value: existing, cookies: [] }
  const value = config.ports.randomHex(32)
  return { value, cookies: [setCookie(cookie, await config.csrf.seal(value))] }
}

/** Whether an attempt with this mark was begun in this browser. */
export async function isOwnBinding(
  config: ResolvedConfig,
  request: Incoming,
  value: string | undefined,
): Promise<boolean> {
  const cookie = bindingCookie(request)
  if (value === undefined || !cookie || !config.csrf) return true
  return repeatsToken(await config.csrf.read(request.cookies[cookie.name]), value)
}

/** Null if the cookie would not come along when another site sends the visitor back. */
function bindingCookie(request: Incoming) {
  const cookie = request.cookieOptions.csrfToken
  const { sameSite } = cookie.options
  return sameSite === true || sameSite === 'strict' ? null : cookie
}
