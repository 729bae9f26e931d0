import * as oauth from 'oauth4webapi'
import type { Profile, TokenSet } from '../model.ts'
import type { UserinfoRequestContext } from '../providers/oauth.ts'
import type { Exchange } from './exchange-code.ts'
import { parseJsonObject } from './parse-json.ts'
import { type ProtocolClient, protocolClient } from './protocol-client.ts'
import { callbackError, ProviderFault, readable } from './provider-fault.ts'
import type { ResolvedOAuthProvider } from './resolve-provider.ts'
import type { Server, ServerDirectory } from './server.ts'
import { verifySignature } from './verify-signature.ts'

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
  const accessToken = tokens.access_token ?? ''
  const client = protocolClient(provider, server, now)
  return claims
    ? requestClaims(provider, accessToken, claims.sub, server, client)
    : requestObject(provider, accessToken, server, client)
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

/** OIDC Core §5.3: JSON or a signed token, and about the one who signed in. */
async function requestClaims(
  provider: ResolvedOAuthProvider,
  accessToken: string,
  subject: string,
  server: Server,
  { client, options }: ProtocolClient,
): Promise<Profile> {
  const { metadata } = server
  const response = await oauth.userInfoRequest(metadata, client, accessToken, options)
  const answer = (await provider.userinfo.conform?.(response.clone())) ?? response
  demandProfile(answer)
  const isToken = isJwt(answer)
  const token = isToken ? await answer.clone().text() : ''
  const profile = await oauth.processUserInfoResponse(metadata, client, subject, answer)
  if (isToken) {
    await verifySignature(token, {
      response: answer,
      server,
      clientSecret: provider.clientFacts.clientSecret,
      registeredAlg: client.userinfo_signed_response_alg,
    })
  }
  return { ...profile }
}

/** Plain OAuth has no rules for profiles: whatever is a JSON object will do. */
async function requestObject(
  { userinfo }: ResolvedOAuthProvider,
  accessToken: string,
  { metadata }: Server,
  { options }: ProtocolClient,
): Promise<Profile> {
  const { userinfo_endpoint: url } = metadata
  if (!url) throw new ProviderFault('the metadata names no userinfo_endpoint')
  const { headers, ...others } = options
  const response = await oauth.protectedResourceRequest(
    accessToken,
    'GET',
    new URL(url),
    new Headers({ ...headers, accept: 'application/json' }),
    null,
    others,
  )
  const answer = (await userinfo.conform?.(response.clone())) ?? response
  demandProfile(answer)
  const profile = parseJsonObject(await answer.text())
  if (!profile) throw new ProviderFault('expected a profile as a JSON object, found none')
  return profile
}

/** An error is not a profile, and a page is not one either. */
function demandProfile(response: Response): void {
  const { status } = response
  const type = response.headers.get('content-type') ?? ''
  if (response.ok && !type.includes('html')) return
  const found = response.ok ? readable(type) : `status ${status}`
  throw new ProviderFault(`expected a profile, found ${found}`, { status })
}

function isJwt(response: Response): boolean {
  return response.headers.get('content-type')?.split(';')[0]?.trim() === 'application/jwt'
}

function otherSubject(): ProviderFault {
  return new ProviderFault('the profile is that of somebody else', { claim: 'sub' })
}
