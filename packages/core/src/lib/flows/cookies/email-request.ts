import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { type SetCookie, setCookie } from '../../http/cookies.ts'
import type { AskedCode } from '../email/email-code.ts'
import type { Incoming } from '../request/incoming.ts'
import { browserMark, isOwnMark } from './browser-binding.ts'

/** What a browser has asked to be sent, and to whom. */
export interface EmailRequest {
  readonly identifier: string
  /** The id of the provider. */
  readonly provider: string
  readonly code: AskedCode | null
  /** Whether the session is to outlast the browser, as far as the visitor said. */
  readonly remember: boolean | undefined
  /** Where the visitor wants to go then, for whoever types a code. */
  readonly returnTo: string | undefined
}

/** Longer ones are left to the cookie that remembers where to return to: this one has to stay small. */
const LONGEST_RETURN = 1000

/** The cookies that tell a browser that asked from all others. */
export async function rememberEmailRequest(
  config: ResolvedConfig,
  request: Incoming,
  { identifier, provider, code, remember, returnTo }: EmailRequest,
  maxAge: number,
): Promise<readonly SetCookie[]> {
  const { emailRequest } = request.cookieOptions
  const now = config.ports.now()
  const { mark, cookies } = await browserMark(config, request)
  const isKept = code !== null && (returnTo?.length ?? 0) <= LONGEST_RETURN
  const asked = {
    identifier,
    provider,
    browser: mark ?? null,
    remember,
    ...(code && { code: { ...code } }),
    ...(isKept && { returnTo }),
  }
  const sealed = await config.sealerFor(emailRequest.name).seal(asked, maxAge, now)
  const expires = new Date(now + maxAge * 1000)
  return [...cookies, setCookie(emailRequest, sealed, { maxAge, expires })]
}

/** What this browser last asked for. */
export async function emailAskedFor(
  config: ResolvedConfig,
  request: Incoming,
): Promise<EmailRequest | null> {
  const { name } = request.cookieOptions.emailRequest
  const sealed = request.cookies[name]
  const opened = sealed && (await config.sealerFor(name).open(sealed, config.ports.now()))
  if (!opened || typeof opened === 'string') return null
  const { identifier, provider, browser, code, remember, returnTo } = opened.claims as Readonly<
    Record<string, unknown>
  >
  if (typeof identifier !== 'string' || typeof provider !== 'string') return null
  const mark = typeof browser === 'string' ? browser : undefined
  if (!(await isOwnMark(config, request, mark))) return null
  return {
    identifier,
    provider,
    remember: typeof remember === 'boolean' ? remember : undefined,
    code: (code as AskedCode | undefined) ?? null, // sealed by ourselves
    returnTo: typeof returnTo === 'string' ? returnTo : undefined,
  }
}
