import type { ResolvedOAuthProvider } from '../provider/resolve-provider.ts'

/** The length that some servers and proxies reject. Longer hints are left out: the provider asks instead. */
const MAX_URL_LENGTH = 2048

/** Where to sign out at a provider: OpenID Connect RP-Initiated Logout §2. */
export function endSessionUrl(
  { endSession, clientFacts }: Pick<ResolvedOAuthProvider, 'endSession' | 'clientFacts'>,
  endpoint: string,
  {
    idToken,
    returnUri,
    state,
  }: {
    readonly idToken: string | undefined
    /** Registered with the provider. */
    readonly returnUri: string
    readonly state: string
  },
): URL {
  const url = new URL(endpoint)
  const { searchParams } = url
  for (const [name, value] of endSession.params) searchParams.append(name, value)
  searchParams.set(clientFacts.clientIdParam, clientFacts.clientId)
  searchParams.set(endSession.returnParam, returnUri)
  searchParams.set('state', state)
  if (
    idToken !== undefined &&
    url.href.length + idToken.length < MAX_URL_LENGTH - HINT_NAME_LENGTH
  ) {
    searchParams.set('id_token_hint', idToken)
  }
  return url
}

const HINT_NAME_LENGTH = '&id_token_hint='.length
