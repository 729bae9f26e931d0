import { AccessTokenError, type AccessTokenErrorCode } from '../../base/errors.ts'

/** The error for an access token that is not to be had, with what to do about it. */
export function accessTokenError(
  code: AccessTokenErrorCode,
  provider: string,
  cause?: unknown,
): AccessTokenError {
  const error = new AccessTokenError(messageOf[code](JSON.stringify(provider)), {
    provider,
    ...(cause === undefined ? {} : { cause }),
  })
  error.code = code
  return error
}

const messageOf: Readonly<Record<AccessTokenErrorCode, (provider: string) => string>> = {
  not_signed_in: provider =>
    `Nobody is signed in, so there is no access token for ${provider}. Check the session first.`,
  no_account: provider =>
    `The user has no such account at ${provider}. Call signIn(${provider}) while they are signed in to add one.`,
  ambiguous_account: provider =>
    `The user has several accounts at ${provider}. Pass the accountId of one that accounts.list returns.`,
  tokens_not_stored: provider =>
    `The tokens of ${provider} are not stored. Set an adapter, or account.storeTokensInCookie.`,
  store_read_only: provider =>
    `The access token for ${provider} has expired, and no cookie can be set here to keep a new one. Call accounts.getAccessToken in an action, a handler or the proxy.`,
  no_refresh_token: provider =>
    `The access token for ${provider} has expired, and there is no refresh token. Ask the provider for one, often by the scope offline_access, or have people sign in again.`,
  invalid_grant: provider =>
    `${provider} no longer accepts the refresh token: it has expired, or was taken back. Have the person sign in with it again.`,
  refused: provider =>
    `${provider} refused to refresh the tokens. The cause says why; check the client's settings there.`,
  unavailable: provider =>
    `The tokens of ${provider} cannot be refreshed at the moment. Try again later.`,
}
