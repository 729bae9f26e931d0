import { lazily } from '../../base/awaitable.ts'
import { type LogStep, namesOf } from '../../base/step-logger.ts'
import type { Profile, TokenSet } from '../../base/user.ts'
import type { UserinfoRequestContext } from '../../providers/oauth.ts'
import { parseJsonObject } from '../parse-json.ts'
import type { ResolvedOAuthProvider } from '../provider/resolve-provider.ts'
import type { Server, ServerDirectory } from '../provider/server.ts'
import { callbackError, ProviderError, readable, rejectionError } from '../provider-error.ts'
import type { DpopKey } from '../token/dpop.ts'
import type { Exchange } from '../token/exchange-code.ts'

/** Loads the profile of the person who signed in from the provider. Rejects with an `OAuthCallbackError`. */
export async function loadProfile(
  provider: ResolvedOAuthProvider,
  exchange: Exchange,
  /** Everything that came to the callback URL. */
  parameters: URLSearchParams,
  servers: ServerDirectory,
  now: number,
  tell: LogStep = () => {},
): Promise<Profile> {
  try {
    const profile = await profileOf(provider, exchange, servers, now, tell)
    const { config } = provider
    return config.profileFromCallback?.(profile, Object.fromEntries(parameters)) ?? profile
  } catch (error) {
    throw callbackError(error, provider.id)
  }
}

async function profileOf(
  provider: ResolvedOAuthProvider,
  exchange: Exchange,
  servers: ServerDirectory,
  now: number,
  tell: LogStep,
): Promise<Profile> {
  if (provider.profileFrom === 'userinfo') {
    const profile = await askUserinfo(provider, exchange, await servers.serverFor(provider), now)
    tell('the profile was read', { source: 'userinfo', members: namesOf(Object.keys(profile)) })
    return profile
  }
  const { claims } = exchange
  if (!claims) throw new ProviderError('expected an id_token, found none')
  const completed = isThin(claims) && provider.shouldCompleteProfile
  const more = completed ? await askForMore(provider, exchange, servers, now, tell) : null
  const profile = more ? complete(claims, more, provider.emailVerified) : { ...claims }
  const source = more ? 'id_token and userinfo' : 'id_token'
  tell('the profile was read', { source, members: namesOf(Object.keys(profile)) })
  return profile
}

async function askUserinfo(
  provider: ResolvedOAuthProvider,
  { tokens, claims, key }: Exchange,
  server: Server,
  now: number,
): Promise<Profile> {
  if (provider.userinfo.request) {
    return requestByHook(provider, provider.userinfo.request, tokens, claims, server)
  }
  const response = await requestProfile(provider, tokens.access_token ?? '', server, key)
  return claims
    ? openId(({ readClaims }) => readClaims(provider, response, claims.sub, server, now))
    : readObject(response)
}

/** OIDC Core §5.4: with an access token, servers may tell who it is by userinfo alone. */
function isThin({ name, email }: Readonly<Record<string, unknown>>): boolean {
  return !name && !email
}

/**
 * Asks the userinfo endpoint, if there is one. A server that refuses has its reasons, such as an
 * access token for something else, and who signed in is proven without it, so the sign-in
 * continues. A failure that may work next time fails the sign-in, as does a response about someone
 * else: a user stored without name and address would stay that way.
 */
async function askForMore(
  provider: ResolvedOAuthProvider,
  exchange: Exchange,
  servers: ServerDirectory,
  now: number,
  tell: LogStep,
): Promise<Profile | null> {
  const server = await servers.serverFor(provider)
  if (!server.metadata.userinfo_endpoint && !provider.userinfo.request) return null
  try {
    return await askUserinfo(provider, exchange, server, now)
  } catch (error) {
    const status = error instanceof ProviderError ? Number(error.facts['status']) : 0
    if (!(status >= 400 && status < 500) || status === 429) throw error
    tell('userinfo refused to complete the id_token, which has to do', { status })
    return null
  }
}

/**
 * Adds claims from userinfo to those of an id_token. The id_token wins, except about an address: it has none, and
 * only userinfo can vouch for an address from userinfo.
 */
function complete(
  { name: _name, email: _email, ...claims }: Readonly<Record<string, unknown>>,
  more: Profile,
  emailVerified: ResolvedOAuthProvider['emailVerified'],
): Profile {
  const vouching = ['email_verified', ...(typeof emailVerified === 'string' ? [emailVerified] : [])]
  const remaining = Object.entries(claims).filter(
    ([claim]) => !vouching.some(each => each === claim || each.startsWith(`${claim}.`)),
  )
  return { ...more, ...Object.fromEntries(remaining) }
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
    // Sound: hooks have always received the URL as an object, which the contract describes oddly.
    provider: provider as unknown as UserinfoRequestContext['provider'],
    fetch,
  })
  if (typeof profile !== 'object' || profile === null) {
    throw new ProviderError('expected a profile from userinfo.request, found none')
  }
  if (claims && profile.sub !== undefined && profile.sub !== claims.sub) throw otherSubject()
  return profile
}

const dpop = lazily(() => import('../token/dpop.ts'))
const openId = lazily(() => import('./openid-userinfo.ts'))

/** RFC 6750 §2.1: asks with the access token. An error is not a profile, and a page is not one either. */
async function requestProfile(
  provider: ResolvedOAuthProvider,
  accessToken: string,
  { metadata, fetch }: Server,
  key: DpopKey | undefined,
): Promise<Response> {
  const { userinfo, client } = provider
  const aliases = client.use_mtls_endpoint_aliases ? metadata.mtls_endpoint_aliases : undefined
  const url = aliases?.userinfo_endpoint ?? metadata.userinfo_endpoint
  if (!url) throw new ProviderError('the metadata has no userinfo_endpoint')
  // RFC 6750 §2.1. An error about such a header quotes it, and so the token would get into the log.
  if (/[^\x20-\x7e]/.test(accessToken)) {
    throw new ProviderError('the access token contains characters not allowed in a header')
  }
  const accept = readableTypes(provider)
  const response = key
    ? await dpop(each =>
        each.fetchWithProof(key, accessToken, new URL(url), { headers: { accept } }, fetch),
      )
    : await fetch(url, { headers: { accept, authorization: `Bearer ${accessToken}` } })
  const conformed = (await userinfo.conform?.(response.clone())) ?? response
  const { status } = conformed
  if (!conformed.ok) throw rejection(conformed)
  const type = conformed.headers.get('content-type') ?? ''
  if (type.includes('html')) {
    throw new ProviderError(`expected a profile, found ${readable(type)}`, { status })
  }
  return conformed
}

/** OIDC Core §5.3.2: a signed token, if the client registered for one. */
function readableTypes({ type, client }: ResolvedOAuthProvider): string {
  if (type === 'oauth') return 'application/json'
  const isSigned = client.userinfo_signed_response_alg !== undefined
  return isSigned ? 'application/jwt' : 'application/json, application/jwt'
}

/** RFC 6750 §3: the reason, if the server states it. */
function rejection({ status, headers }: Response): ProviderError {
  const challenge = headers.get('www-authenticate')
  if (challenge === null) {
    return new ProviderError(`expected a profile, found status ${status}`, { status })
  }
  const readParameter = (name: string) =>
    new RegExp(`\\b${name}="([^"]*)"`, 'i').exec(challenge)?.[1]
  return rejectionError(status, readParameter('error'), readParameter('error_description'))
}

/** Plain OAuth has no rules for profiles: whatever is a JSON object will do. */
async function readObject(response: Response): Promise<Profile> {
  const profile = parseJsonObject(await response.text())
  if (!profile) throw new ProviderError('expected a profile as a JSON object, found none')
  return profile
}

function otherSubject(): ProviderError {
  return new ProviderError("the profile is someone else's", { claim: 'sub' })
}
