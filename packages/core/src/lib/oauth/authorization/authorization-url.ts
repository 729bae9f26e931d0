import type { ResolvedOAuthProvider } from '../provider/resolve-provider.ts'
import type { NewTransaction } from './transaction.ts'

/** The parameters of the request beyond the provider's configuration. */
export interface ExtraParameters {
  /**
   * From the sender of the request: may add parameters, and may narrow the scope. May not change the protocol, nor
   * anything that the application decided.
   */
  readonly visitor?: Readonly<Record<string, string>>
  /** From the application's own code: may also replace what is configured. Never the protocol. */
  readonly application?: Readonly<Record<string, string>>
}

/** The URL that a visitor is sent to, to sign in. */
export function authorizationUrl(
  provider: Pick<
    ResolvedOAuthProvider,
    'authorization' | 'scope' | 'laterScopes' | 'scopeSeparator' | 'client' | 'clientFacts'
  >,
  endpoint: string,
  transaction: NewTransaction,
  { visitor = {}, application = {} }: ExtraParameters,
): URL {
  const { client, clientFacts, authorization } = provider
  const { clientIdParam } = clientFacts
  const url = new URL(endpoint)
  const { searchParams } = url
  searchParams.set('response_type', 'code')
  searchParams.set(clientIdParam, client.client_id)
  replaceAll(searchParams, authorization.params)
  const isProtocol = (name: string) => PROTOCOL.has(name) || name === clientIdParam
  for (const [name, value] of Object.entries(application)) {
    if (!isProtocol(name) && name !== 'scope') searchParams.set(name, value)
  }
  const decided = new Set(searchParams.keys())
  for (const [name, value] of Object.entries(visitor)) {
    const free = !decided.has(name) && !isProtocol(name) && !NOT_FOR_VISITORS.has(name)
    if (free && value.length <= MAX_VALUE_LENGTH) searchParams.set(name, value)
  }
  const scopes = chooseScopes(
    application['scope'] ?? provider.scope,
    visitor['scope'],
    provider.laterScopes,
  )
  setOrDelete(searchParams, 'scope', scopes?.join(provider.scopeSeparator))
  // A password in an address is nothing to show to visitors.
  url.username = ''
  url.password = ''
  // Last, so that nothing above can have changed them.
  const { codeChallenge } = transaction
  searchParams.set('redirect_uri', transaction.redirectUri)
  setOrDelete(searchParams, 'state', transaction.state)
  setOrDelete(searchParams, 'nonce', transaction.nonce)
  setOrDelete(searchParams, 'code_challenge', codeChallenge)
  setOrDelete(searchParams, 'code_challenge_method', codeChallenge && 'S256')
  if (authorization.fragment) url.hash = authorization.fragment
  return url
}

/** The parameters that the flow depends on. */
const PROTOCOL: ReadonlySet<string> = new Set([
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'request',
  'request_uri',
  'dpop_jkt',
  'client_secret',
  'client_assertion',
  'client_assertion_type',
])

const NOT_FOR_VISITORS: ReadonlySet<string> = new Set([
  'scope', // narrowed elsewhere
  'authorization_details', // RFC 9396: scopes by another name
  'registration',
  // Ours, and none of the provider's business.
  'csrfToken',
  'callbackUrl',
  'redirectTo',
  'redirect',
  'json',
])

const MAX_VALUE_LENGTH = 2000

/**
 * A visitor may ask for less than the application does, and for what it lists for later; what would be more
 * is ignored.
 */
function chooseScopes(
  configured: string | undefined,
  wanted: string | undefined,
  later: readonly string[],
): readonly string[] | undefined {
  const scopes = configured?.split(/\s+/).filter(each => each !== '') ?? []
  if (scopes.length === 0) return undefined
  const requested = wanted?.split(/[\s,]+/) ?? []
  // Without `openid` there would be no id_token, and without that the sign-in fails.
  const narrowed = scopes.filter(each => each === 'openid' || requested.includes(each))
  const first = narrowed.some(each => requested.includes(each)) ? narrowed : scopes
  return [...first, ...later.filter(each => requested.includes(each) && !first.includes(each))]
}

function replaceAll(
  target: URLSearchParams,
  parameters: ResolvedOAuthProvider['authorization']['params'],
): void {
  for (const [name] of parameters) target.delete(name)
  for (const [name, value] of parameters) target.append(name, value)
}

function setOrDelete(target: URLSearchParams, name: string, value: string | undefined): void {
  if (value) target.set(name, value)
  else target.delete(name)
}
