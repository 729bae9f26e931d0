import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { repeatsToken } from '../../csrf/token.ts'
import { type SetCookie, setCookie } from '../../http/cookies.ts'
import type { Incoming } from '../request/incoming.ts'

/** What tells this browser from others, and the cookie that says so where it has none yet. */
export interface BrowserMark {
  /** Undefined if the application has switched off what it is made of. */
  readonly mark: string | undefined
  readonly cookies: readonly SetCookie[]
}

/**
 * The mark that is sealed into whatever a browser begins. It is the token of forms, whose cookie no
 * other host can plant: so an attempt that was begun elsewhere is of no use here, even if someone
 * manages to plant the cookie of the attempt itself.
 */
export async function browserMark(config: ResolvedConfig, request: Incoming): Promise<BrowserMark> {
  const cookie = markCookie(request)
  if (!cookie || !config.csrf) return { mark: undefined, cookies: [] }
  const known = await config.csrf.read(request.cookies[cookie.name])
  if (known) return { mark: known, cookies: [] }
  const mark = config.ports.randomHex(32)
  return { mark, cookies: [setCookie(cookie, await config.csrf.seal(mark))] }
}

/** Whether an attempt with this mark was begun in this browser. */
export async function isOwnMark(
  config: ResolvedConfig,
  request: Incoming,
  mark: string | undefined,
): Promise<boolean> {
  const cookie = markCookie(request)
  if (mark === undefined || !cookie || !config.csrf) return true
  return repeatsToken(await config.csrf.read(request.cookies[cookie.name]), mark)
}

/** Null if the cookie would not come along when another site sends the visitor back. */
function markCookie(request: Incoming) {
  const cookie = request.cookieOptions.csrfToken
  const { sameSite } = cookie.options
  return sameSite === true || sameSite === 'strict' ? null : cookie
}
