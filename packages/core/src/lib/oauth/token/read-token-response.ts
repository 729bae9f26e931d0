import type { TokenSet } from '../../base/user.ts'
import { type JsonObject, parseJsonObject } from '../parse-json.ts'
import { ProviderError, type ProviderErrorFacts, readable } from '../provider-error.ts'

/**
 * Reads a response of a token endpoint, with the liberties that providers take: a missing `token_type`, a list of
 * scopes, empty members, and errors that come with status 200. The result is as RFC 6749 §5.1 has it, with everything
 * else that the provider sent.
 */
export async function readTokenResponse(response: Response): Promise<JsonObject> {
  const { status } = response
  const body = parseJsonObject(await response.text())
  if (!body) {
    const type = readable(response.headers.get('content-type')) ?? 'no content type'
    throw new ProviderError(
      `expected JSON from the token endpoint, found ${type} with status ${status}`,
      { status },
    )
  }
  return checkTokens(body, status)
}

/** The same for the tokens that a provider's own `token.request` answered. */
export function readTokenSet(result: TokenSet | { readonly tokens: TokenSet }): JsonObject {
  const tokens: unknown = 'tokens' in result ? result.tokens : result
  if (typeof tokens !== 'object' || tokens === null) {
    throw new ProviderError('expected tokens from token.request, found none')
  }
  return checkTokens({ ...tokens }, 200)
}

function checkTokens(body: JsonObject, status: number): JsonObject {
  const failure = failureIn(body)
  const ok = status >= 200 && status < 300
  if (!ok || failure.error !== undefined || !isText(body['access_token'])) {
    const what = failure.error ?? (ok ? 'a response without access_token' : `status ${status}`)
    throw new ProviderError(`expected tokens from the token endpoint, found ${what}`, {
      ...failure,
      status,
    })
  }
  return assertTypes(repair(body))
}

/** A token that has to be used in another way than RFC 6750's would be useless. */
function assertTypes(tokens: JsonObject): JsonObject {
  const token_type = String(tokens['token_type']).toLowerCase()
  if (token_type !== 'bearer' && token_type !== 'dpop') {
    throw new ProviderError(`expected a token of type bearer, found ${readable(token_type)}`)
  }
  for (const name of ['refresh_token', 'scope']) {
    const { [name]: value } = tokens
    if (value !== undefined && typeof value !== 'string') {
      throw new ProviderError(`expected a string as ${name}, found ${typeof value}`)
    }
  }
  const { expires_in } = tokens
  return {
    ...tokens,
    token_type,
    ...(expires_in !== undefined && { expires_in: Number(expires_in) }),
  }
}

/** RFC 6749 §5.2, and what some write instead. */
function failureIn(body: JsonObject): ProviderErrorFacts & { readonly error?: string } {
  const { error, error_description, errcode, errmsg, ok, message, msg } = body
  const details = readable(error_description ?? errmsg ?? message ?? msg)
  const facts = (code: unknown, description: string | undefined = details) => ({
    error: readable(code) ?? 'an error',
    ...(description === undefined ? {} : { error_description: description }),
  })
  if (typeof error === 'string' && error !== '') return facts(error)
  // Slack
  if (ok === false) return facts('ok: false')
  // WeChat, where 0 means that all is well
  if (errcode !== undefined && errcode !== 0 && errcode !== '0') return facts(errcode)
  if (isText(body['access_token'])) return {}
  // Facebook: an object
  if (typeof error === 'object' && error !== null) {
    const { type, code, message: text } = error as JsonObject
    return facts(type ?? code, readable(text))
  }
  // Twitch: `{ status, message }`
  return details === undefined ? {} : facts(body['status'] ?? details)
}

function repair(body: JsonObject): JsonObject {
  const tokens: JsonObject = { ...body }
  const { scope, token_type } = tokens
  if (Array.isArray(scope)) tokens['scope'] = scope.join(' ')
  // RFC 6749 §5.1 demands it; where it is missing, it is always this one.
  if (!isText(token_type)) tokens['token_type'] = 'bearer'
  for (const name of ['scope', 'refresh_token', 'id_token', 'expires_in']) {
    if (tokens[name] === null || tokens[name] === '') delete tokens[name]
  }
  // Not a time span, so there is nothing to count from: as if it were not there.
  const { expires_in } = tokens
  if (expires_in !== undefined && !isTimeSpan(Number(expires_in))) delete tokens['expires_in']
  return tokens
}

function isTimeSpan(seconds: number): boolean {
  return seconds > 0 && Number.isSafeInteger(Math.ceil(seconds))
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
