import { OAuthCallbackError } from '../../base/errors.ts'
import type { Transaction } from '../authorization/transaction.ts'
import type { ResolvedOAuthProvider } from '../provider/resolve-provider.ts'
import type { Server } from '../provider/server.ts'
import { ProviderError, readable } from '../provider-error.ts'
import { parseUrl } from '../secure-url.ts'

const UNREQUESTED = ['access_token', 'id_token', 'token', 'response']

// RFC 6749 §3.1: none may come twice. Which of two would the server have meant?
const RESPONSE_PARAMETERS = ['code', 'state', 'iss', 'error', 'error_description', 'error_uri']

/**
 * Checks an authorization response and answers the code that it brings. It must be one to this attempt,
 * from the server that was asked, and no refusal.
 */
export function checkCallback(
  provider: ResolvedOAuthProvider,
  parameters: URLSearchParams,
  transaction: Pick<Transaction, 'state'>,
  server: Server,
): string {
  const repeated = RESPONSE_PARAMETERS.find(name => parameters.getAll(name).length > 1)
  if (repeated) throw new ProviderError(`the response has ${repeated} more than once`)
  // RFC 9700 §2.1.2: no token is taken from a URL; and what was not asked for is not taken at all.
  const foreign = UNREQUESTED.find(name => parameters.has(name))
  if (foreign) throw new ProviderError(`expected a code in the response, found ${foreign}`)
  checkIssuer(provider, parameters, server)
  const { state } = transaction
  if (state !== undefined && parameters.get('state') !== state) {
    throw new ProviderError('the state in the response does not match the request')
  }
  const errorCode = parameters.get('error')
  if (errorCode) throw errorFor(provider.id, errorCode, parameters.get('error_description'))
  const code = parameters.get('code')
  if (!code) throw new ProviderError('expected a code in the response, found none')
  return code
}

/** RFC 9207 §2.4: the server that answers is the one that was asked. */
function checkIssuer(
  { config, issuer }: ResolvedOAuthProvider,
  parameters: URLSearchParams,
  { issuer: expected, metadata }: Server,
): void {
  const iss = parameters.get('iss')
  if (!iss) {
    if (!metadata.authorization_response_iss_parameter_supported) return
    throw new ProviderError('the response does not name its issuer, as this server always does')
  }
  // Where the issuer depends on who signs in, the rest of it is compared with the id_token's.
  const isExpected = config.issuerFor
    ? parseUrl(iss)?.origin === parseUrl(issuer ?? iss)?.origin
    : expected === undefined || iss === expected
  if (!isExpected) {
    throw new ProviderError('the response is from another issuer', { found: readable(iss) })
  }
}

/** The provider's own words, for the log alone: anyone can write them into a URL. */
function errorFor(
  provider: string,
  errorCode: string,
  description: string | null,
): OAuthCallbackError {
  const cause = {
    provider,
    error: readable(errorCode),
    error_description: readable(description),
  }
  const message = `${JSON.stringify(provider)} responded with the error ${cause.error}.`
  return new OAuthCallbackError(message, { cause })
}
