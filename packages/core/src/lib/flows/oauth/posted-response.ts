import { OAuthCallbackError } from '../../base/errors.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { isForeignRequest } from '../../csrf/foreign-request.ts'
import { readSentCookies } from '../../http/cookie-text.ts'
import { type CookieOption, clearCookie, type SetCookie, setCookie } from '../../http/cookies.ts'
import { postedResponseName } from '../../http/fixed-cookies.ts'
import { type Outgoing, redirect } from '../../http/response.ts'
import type { Incoming } from '../request/incoming.ts'
import { transactionCookie } from './start-oauth.ts'

// A response that a provider posts comes from another site, and so without the session cookie: the user who is signed
// in would be unknown. It is stored for a moment, and the browser is redirected to the same URL, which brings all
// cookies.

/** As long as a redirect may take, in seconds. */
const MAX_AGE = 300

/** Browsers keep no cookie over 4096 bytes, name and attributes included. */
const MAX_SEALED_LENGTH = 3600

/** More than a browser has of one name, unless another host plants them. */
const MAX_OPENED = 16

/** Keeps a posted answer and sends the browser round; null if there is no need. */
export async function storePostedResponse(
  config: ResolvedConfig,
  request: Incoming,
  provider: string,
  callbackUrl: string,
): Promise<Outgoing | null> {
  const { method, headers, origin, form } = request
  if (method !== 'POST' || !isForeignRequest(headers, origin, [])) return null
  const cookie = postedResponseCookie(request)
  const { sealerFor, ports } = config
  const seal = (parameters: URLSearchParams) =>
    sealerFor(cookie.name).seal(
      { provider, parameters: parameters.toString() },
      MAX_AGE,
      ports.now(),
    )
  let sealed = await seal(form)
  if (sealed.length > MAX_SEALED_LENGTH) sealed = await seal(withoutTokens(form))
  if (sealed.length > MAX_SEALED_LENGTH) {
    throw new OAuthCallbackError('The provider posted a response that is too long to keep.', {
      provider,
    })
  }
  const to = new URL(callbackUrl)
  const state = form.get('state')
  if (state !== null) to.searchParams.set('state', state)
  const expires = new Date(ports.now() + MAX_AGE * 1000)
  return redirect(to.href, [setCookie(cookie, sealed, { maxAge: MAX_AGE, expires })])
}

/** The code is enough. Tokens that come beside it are requested again, and are the longest. */
function withoutTokens(form: URLSearchParams): URLSearchParams {
  const remaining = new URLSearchParams(form)
  for (const name of ['id_token', 'access_token', 'token']) remaining.delete(name)
  return remaining
}

/** The answer that was posted: with this request, or with the one before. */
export async function readPostedResponse(
  config: ResolvedConfig,
  request: Incoming,
  provider: string,
): Promise<{ readonly parameters: URLSearchParams; readonly cookies: readonly SetCookie[] }> {
  if (request.method === 'POST') return { parameters: request.form, cookies: [] }
  const state = request.url.searchParams.get('state')
  const cookie = postedResponseCookie(request)
  const sealer = config.sealerFor(cookie.name)
  // Other hosts may have planted some of that name.
  const sent = readSentCookies(request.headers.get('cookie'), cookie.name)
    .filter(({ name }) => name === cookie.name)
    .slice(-MAX_OPENED)
  for (const { value } of sent) {
    const opened = await sealer.open(value, config.ports.now())
    const claims = typeof opened === 'string' ? {} : opened.claims
    if (claims['provider'] !== provider || typeof claims['parameters'] !== 'string') continue
    const parameters = new URLSearchParams(claims['parameters'])
    if (parameters.get('state') === state) return { parameters, cookies: [clearCookie(cookie)] }
  }
  return { parameters: new URLSearchParams(), cookies: [] }
}

/**
 * One cookie for all attempts: anybody can post, and responses that are posted at once would take more than servers accept. Of
 * those, the last is read.
 */
function postedResponseCookie({ cookieOptions: { state } }: Incoming): CookieOption {
  return { ...transactionCookie(state, true), name: postedResponseName(state) }
}
