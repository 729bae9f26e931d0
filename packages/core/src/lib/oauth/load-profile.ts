import { lazily } from '../lazily.ts'
import type { Profile, TokenSet } from '../model.ts'
import type { UserinfoRequestContext } from '../providers/oauth.ts'
import type { Exchange } from './exchange-code.ts'
import { parseJsonObject } from './parse-json.ts'
import { callbackError, ProviderFault, readable, refusedFault } from './provider-fault.ts'
import type { ResolvedOAuthProvider } from './resolve-provider.ts'
import type { Server, ServerDirectory } from './server.ts'

/** What the provider says about the person who signed in. Rejects with an `OAuthCallbackError`. */
export async function loadProfile(
  provider: ResolvedOAuthProvider,
  exchange: Exchange,
  /** Everything that came to the callback URL. */
  parameters: URLSearchParams,
  servers: ServerDirectory,
  now: number,
): Promise<Profile> {
  try {
    const profile = await profileOf(provider, exchange, servers, now)
    const { config } = provider
    return config.profileFromCallback?.(profile, Object.fromEntries(parameters)) ?? profile
  } catch (error) {
    throw callbackError(error, provider.id)
  }
}

async function profileOf(
  provider: ResolvedOAuthProvider,
  { tokens, claims }: Exchange,
  servers: ServerDirectory,
  now: number,
): Promise<Profile> {
  if (provider.profileFrom === 'id_token') {
    if (!claims) throw new ProviderFault('expected an id_token, found none')
    return { ...claims }
  }
  const server = await servers.serverFor(provider)
  if (provider.userinfo.request) {
    return requestByHook(provider, provider.userinfo.request, tokens, claims, server)
  }
  const answer = await requestProfile(provider, tokens.access_token ?? '', server)
  return claims
    ? openId(({ readClaims }) => readClaims(provider, answer, claims.sub, server, now))
    : readObject(answer)
}

async function requestByHook(
  { config, userinfo }: ResolvedOAuthProvider,
  request: NonNullable<ResolvedOAuthProvider['userinfo']['request']>,
  tokens: TokenSet,
  claims: Exchange['claims'],
  { metadata, fetch }: Server,
): Promise<Profile> {
  const url = userinfo.url ?? metadata.userinfo_endpoint
  const handler = typeof config.userinfo === 'object' ? config.userinfo : {}
  const provider = { ...config, userinfo: { ...handler, ...(url ? { url: new URL(url) } : {}) } }
  const profile = await request({
    tokens,
    // Sound: hooks have always been given the URL as an object, which the contract says oddly.
    provider: provider as unknown as UserinfoRequestContext['provider'],
    fetch,
  })
  if (typeof profile !== 'object' || profile === null) {
    throw new ProviderFault('expected a profile from userinfo.request, found none')
  }
  if (claims && profile.sub !== undefined && profile.sub !== claims.sub) throw otherSubject()
  return profile
}

const openId = lazily(() => import('./openid-userinfo.ts'))

/** RFC 6750 §2.1: asks with the access token. An error is not a profile, and a page is not one either. */
async function requestProfile(
  provider: ResolvedOAuthProvider,
  accessToken: string,
  { metadata, fetch }: Server,
): Promise<Response> {
  const { userinfo, client } = provider
  const aliases = client.use_mtls_endpoint_aliases ? metadata.mtls_endpoint_aliases : undefined
  const url = aliases?.userinfo_endpoint ?? metadata.userinfo_endpoint
  if (!url) throw new ProviderFault('the metadata names no userinfo_endpoint')
  // RFC 6750 §2.1. What refuses such a header says which, and so the token would get into the log.
  if (/[^\x20-\x7e]/.test(accessToken)) {
    throw new ProviderFault('the access token has characters that no header can carry')
  }
  const headers = { accept: readableTypes(provider), authorization: `Bearer ${accessToken}` }
  const response = await fetch(url, { headers })
  const answer = (await userinfo.conform?.(response.clone())) ?? response
  const { status } = answer
  if (!answer.ok) throw refusal(answer)
  const type = answer.headers.get('content-type') ?? ''
  if (type.includes('html')) {
    throw new ProviderFault(`expected a profile, found ${readable(type)}`, { status })
  }
  return answer
}

/** OIDC Core §5.3.2: a signed token, if the client registered for one. */
function readableTypes({ type, client }: ResolvedOAuthProvider): string {
  if (type === 'oauth') return 'application/json'
  const isSigned = client.userinfo_signed_response_alg !== undefined
  return isSigned ? 'application/jwt' : 'application/json, application/jwt'
}

/** RFC 6750 §3: why, if the server says so. */
function refusal({ status, headers }: Response): ProviderFault {
  const challenge = headers.get('www-authenticate')
  if (challenge === null) {
    return new ProviderFault(`expected a profile, found status ${status}`, { status })
  }
  const said = (name: string) => new RegExp(`\\b${name}="([^"]*)"`, 'i').exec(challenge)?.[1]
  return refusedFault(status, said('error'), said('error_description'))
}

/** Plain OAuth has no rules for profiles: whatever is a JSON object will do. */
async function readObject(answer: Response): Promise<Profile> {
  const profile = parseJsonObject(await answer.text())
  if (!profile) throw new ProviderFault('expected a profile as a JSON object, found none')
  return profile
}

function otherSubject(): ProviderFault {
  return new ProviderFault('the profile is that of somebody else', { claim: 'sub' })
}
