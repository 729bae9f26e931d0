import type { SeenRequest } from './fake-provider.ts'
import type { Grant } from './grants.ts'
import { fails, inSeconds, otherThan, type ProviderState } from './provider-state.ts'
import { errorResponse } from './responses.ts'
import { unsignedToken } from './signing-key.ts'

/** The token endpoint. */
export async function tokenResponse(
  provider: ProviderState,
  request: SeenRequest,
): Promise<Response> {
  const { grants, change, tokenLifetime } = provider
  if (!isClient(request, provider)) return errorResponse('invalid_client', 401)
  const { body } = request
  const isRefresh = body.get('grant_type') === 'refresh_token'
  const grant = isRefresh
    ? grants.redeemRefreshToken(body.get('refresh_token') ?? '')
    : await grants.redeemCode(body)
  if (!grant || fails(provider, 'invalid-grant', grant)) return errorResponse('invalid_grant', 400)
  const { access, refresh } = grants.addTokens(grant, provider.now() + tokenLifetime * 1000)
  // A refreshed id_token repeats no nonce: OpenID Connect Core §12.2.
  const hasIdToken = !fails(provider, 'no-id-token', grant)
  const tokens = {
    access_token: access,
    token_type: 'Bearer',
    expires_in: tokenLifetime,
    refresh_token: refresh,
    scope: grant.scope,
    ...(hasIdToken && {
      id_token: await idTokenFor(provider, isRefresh ? { ...grant, nonce: null } : grant),
    }),
  }
  return Response.json(change.tokens?.(tokens) ?? tokens)
}

async function idTokenFor(provider: ProviderState, grant: Grant): Promise<string> {
  const { issuer, clientId, change, key } = provider
  const iat = inSeconds(provider)
  const claims = {
    iss: fails(provider, 'wrong-issuer', grant) ? otherThan(issuer) : issuer,
    aud: fails(provider, 'wrong-audience', grant) ? `not ${clientId}` : clientId,
    iat,
    exp: fails(provider, 'expired', grant) ? iat - 3600 : iat + 300,
    nonce: fails(provider, 'wrong-nonce', grant)
      ? 'of-another-sign-in'
      : (grant.nonce ?? undefined),
    sid: grant.sid,
    ...grant.person,
  }
  const changed = change.claims?.(claims) ?? claims
  if (change.idToken) return change.idToken(changed)
  if (fails(provider, 'unsigned', grant)) return unsignedToken(changed)
  const header = { alg: provider.algorithm, kid: key.jwk.kid }
  const token = await key.sign(changed, change.header?.(header))
  return fails(provider, 'bad-signature', grant) ? withOtherSubject(token) : token
}

/** RFC 6749 §2.3.1: in the header, or among the fields. */
function isClient(
  { headers, body }: SeenRequest,
  { clientId: id, clientSecret: secret }: ProviderState,
): boolean {
  if (secret === null) return true
  const [, basic = ''] = /^Basic (.+)$/i.exec(headers.get('authorization') ?? '') ?? []
  const [name = '', word = ''] = Buffer.from(basic, 'base64')
    .toString()
    .split(':')
    .map(part => decodeURIComponent(part.replaceAll('+', ' ')))
  return (
    (name === id && word === secret) ||
    (body.get('client_id') === id && body.get('client_secret') === secret)
  )
}

/** What somebody does who wants to be somebody else: other claims, and the signature as it was. */
function withOtherSubject(token: string): string {
  const [header, claims = '', signature] = token.split('.')
  const read = JSON.parse(Buffer.from(claims, 'base64url').toString())
  const changed = Buffer.from(JSON.stringify({ ...read, sub: `not-${read.sub}` }))
  return [header, changed.toString('base64url'), signature].join('.')
}
