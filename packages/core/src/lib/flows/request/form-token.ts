import { MissingCSRF } from '../../base/errors.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { isForeignRequest } from '../../csrf/foreign-request.ts'
import { readTokens, repeatsToken } from '../../csrf/token.ts'
import { type SetCookie, setCookie } from '../../http/cookies.ts'
import type { Incoming } from './incoming.ts'

/** A token for a form, and its cookie if the visitor does not have one yet. */
export interface FormToken {
  /** Undefined if the check is switched off. */
  readonly csrfToken: string | undefined
  readonly cookies: readonly SetCookie[]
}

/** The token of the visitor's cookie, or a new one. */
export async function issueFormToken(
  config: ResolvedConfig,
  request: Incoming,
): Promise<FormToken> {
  const { csrf, ports } = config
  if (!csrf) return { csrfToken: undefined, cookies: [] }
  const cookie = request.cookieOptions.csrfToken
  const [existing] = await readTokens(csrf, request.headers.get('cookie'), cookie.name)
  if (existing) return { csrfToken: existing, cookies: [] }
  const csrfToken = ports.randomHex(32)
  return { csrfToken, cookies: [setCookie(cookie, await csrf.seal(csrfToken))] }
}

/** Throws unless the request was made by a page of this very application. */
export async function requireOwnForm(config: ResolvedConfig, request: Incoming): Promise<void> {
  const { csrf } = config
  if (!csrf) return
  if (isForeignRequest(request.headers, request.origin, config.trustedOrigins)) {
    throw new MissingCSRF(
      `The request was sent by a page on ${request.headers.get('origin') ?? 'another site'}, not ` +
        `${request.origin}. If that page is yours, list its origin in trustedOrigins.`,
    )
  }
  const cookie = request.cookieOptions.csrfToken
  const tokens = await readTokens(csrf, request.headers.get('cookie'), cookie.name)
  if (tokens.length === 0)
    throw new MissingCSRF('The request has no valid CSRF cookie. Get one from GET csrf.')
  if (!tokens.some(token => repeatsToken(token, request.body['csrfToken']))) {
    throw new MissingCSRF('The csrfToken field does not match the CSRF cookie.')
  }
}
