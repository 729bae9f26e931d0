import { lazily } from '../../base/awaitable.ts'
import type { ResolvedOAuthProvider } from '../provider/resolve-provider.ts'
import type { Server, ServerDirectory } from '../provider/server.ts'
import { ProviderError, signInError } from '../provider-error.ts'
import { authorizationUrl, type ExtraParameters } from './authorization-url.ts'
import type { NewTransaction, Transaction } from './transaction.ts'

/** Where to send the visitor, and what to remember. */
export interface AuthorizationRequest {
  readonly url: URL
  /** Complete: to be sealed now. */
  readonly transaction: Transaction
}

/** Prepares the request that takes a visitor to a provider. Rejects with an `OAuthSignInError`. */
export async function requestAuthorization(
  provider: ResolvedOAuthProvider,
  transaction: NewTransaction,
  extra: ExtraParameters,
  servers: ServerDirectory,
  now: number,
): Promise<AuthorizationRequest> {
  try {
    const server = await servers.serverFor(provider)
    const { authorization_endpoint: endpoint } = server.metadata
    if (!endpoint) throw new ProviderError('the metadata has no authorization_endpoint')
    const url = authorizationUrl(provider, endpoint, transaction, extra)
    return {
      url: mustPushRequest(provider, server)
        ? await pushing(({ pushRequest }) => pushRequest(provider, server, url, now))
        : url,
      transaction: { ...transaction, maxAge: maxAgeOf(provider, url) },
    }
  } catch (error) {
    throw signInError(error, provider.id)
  }
}

const pushing = lazily(() => import('./push-request.ts'))

/** RFC 9126 §5 and §6: whether the server, or the registration of this client, demands it. */
function mustPushRequest({ client }: ResolvedOAuthProvider, { metadata }: Server): boolean {
  return (
    metadata.require_pushed_authorization_requests === true ||
    client['require_pushed_authorization_requests'] === true
  )
}

/** OIDC Core §3.1.2.1: a client that asks for a recent sign-in must check that it was one. */
function maxAgeOf({ type }: ResolvedOAuthProvider, url: URL): number | undefined {
  const value = url.searchParams.get('max_age')
  return type === 'oidc' && value !== null && /^\d{1,9}$/.test(value) ? Number(value) : undefined
}
