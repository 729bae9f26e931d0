import { authorizeResponse } from './authorize.ts'
import {
  delayed,
  type EndpointFailure,
  type ProviderEndpoint,
  type ProviderFailure,
} from './failure.ts'
import type { SeenRequest } from './fake-provider.ts'
import { fails, type ProviderState } from './provider-state.ts'
import { errorResponse, redirect } from './responses.ts'
import { signedOutPage } from './sign-in-page.ts'
import { tokenResponse } from './token-endpoint.ts'

type Endpoint = (provider: ProviderState, request: SeenRequest) => Response | Promise<Response>

/** What each endpoint answers. */
const ENDPOINTS: Readonly<Record<ProviderEndpoint, Endpoint>> = {
  discovery: discoveryResponse,
  jwks: ({ key }) => Response.json({ keys: [key.jwk] }),
  authorize: authorizeResponse,
  token: tokenResponse,
  userinfo: userinfoResponse,
  revoke: revokeResponse,
  logout: logoutResponse,
}

/** Answers a request to the provider, unless an endpoint is in trouble. */
export async function respond(
  provider: ProviderState,
  request: SeenRequest,
  signal: AbortSignal | null | undefined,
): Promise<Response> {
  const instead = await provider.change.respond?.(request)
  if (instead) return instead
  const endpoint = endpointOf(request.url, provider.issuer)
  if (!endpoint) return new Response('not found', { status: 404 })
  const troubles = provider.failures.filter(each => isTrouble(each, endpoint))
  for (const { delayMilliseconds: delay } of troubles) if (delay) await delayed(delay, signal)
  const status = troubles.find(trouble => trouble.status)?.status
  return status ? new Response(null, { status }) : ENDPOINTS[endpoint](provider, request)
}

/** The document that discovery finds. */
function discoveryResponse({ issuer, algorithm, change }: ProviderState): Response {
  const document = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/jwks`,
    end_session_endpoint: `${issuer}/logout`,
    revocation_endpoint: `${issuer}/revoke`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    code_challenge_methods_supported: ['S256'],
    id_token_signing_alg_values_supported: [algorithm],
    authorization_response_iss_parameter_supported: true,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
  }
  return Response.json(change.metadata?.(document) ?? document)
}

function userinfoResponse(provider: ProviderState, { headers }: SeenRequest): Response {
  const { grants, change } = provider
  const [, token = ''] = /^Bearer (.+)$/i.exec(headers.get('authorization') ?? '') ?? []
  const grant = grants.openAccessToken(token, provider.now())
  if (!grant) return errorResponse('invalid_token', 401)
  const { sub } = grant.person
  const profile = {
    ...grant.person,
    sub: fails(provider, 'other-subject', grant) ? `not-${sub}` : sub,
  }
  return Response.json(change.profile?.(profile) ?? profile)
}

function revokeResponse({ grants }: ProviderState, { body }: SeenRequest): Response {
  grants.revoke(body.get('token') ?? '')
  return new Response(null)
}

function logoutResponse(_provider: ProviderState, { url }: SeenRequest): Response {
  const to = url.searchParams.get('post_logout_redirect_uri')
  if (!to || !/^https?:/.test(to)) return signedOutPage()
  const back = new URL(to)
  const state = url.searchParams.get('state')
  if (state !== null) back.searchParams.set('state', state)
  return redirect(back)
}

function endpointOf({ pathname }: URL, issuer: string): ProviderEndpoint | null {
  const base = new URL(issuer).pathname.replace(/\/$/, '')
  if (!pathname.startsWith(base)) return null
  const path = pathname.slice(base.length)
  if (path === '/.well-known/openid-configuration') return 'discovery'
  return NAMES.find(name => path === `/${name}`) ?? null
}

const NAMES = Object.keys(ENDPOINTS).filter(name => name !== 'discovery') as ProviderEndpoint[] // as its type says

function isTrouble(
  failure: ProviderFailure,
  endpoint: ProviderEndpoint,
): failure is EndpointFailure {
  return typeof failure === 'object' && (failure.endpoint ?? endpoint) === endpoint
}
