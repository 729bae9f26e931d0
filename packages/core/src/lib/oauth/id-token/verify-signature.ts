import * as oauth from 'oauth4webapi'
import { fromBase64Url } from '#crypto'
import { fromUtf8, utf8 } from '../../crypto/encoding.ts'
import { parseJsonObject } from '../parse-json.ts'
import type { KeyUse } from '../provider/key-store.ts'
import type { Server } from '../provider/server.ts'
import { ProviderError } from '../provider-error.ts'

/** Has the protocol library verify a token whose algorithm it finds allowed, by the keys of a server. */
export type VerifyByKeys = (
  metadata: oauth.AuthorizationServer,
  keys: { readonly [oauth.jwksCache]: oauth.JWKSCacheInput },
) => Promise<unknown>

/** Verifies the token that the protocol library took from a response. */
export function tokenOf(response: Response): VerifyByKeys {
  return (metadata, keys) => oauth.validateApplicationLevelSignature(metadata, response, keys)
}

/**
 * Verifies the signature of a token. Keys come from the server's metadata or, for an HMAC algorithm, are the
 * client secret; never from the token itself, and never the one for the other.
 */
export async function verifySignature(
  token: string,
  context: {
    readonly verify: VerifyByKeys
    readonly server: Pick<Server, 'metadata' | 'keys'>
    readonly keyUse: KeyUse
    readonly clientSecret: string | undefined
    readonly registeredAlg: string | undefined
    /**
     * The algorithms by which the server signs such tokens, as its metadata states. None, for a client without a
     * secret.
     */
    readonly listedAlgs?: unknown
  },
): Promise<{ readonly alg: string }> {
  const { server, keyUse } = context
  const alg = algorithmOf(token)
  if (alg in hmacHashes) {
    await verifyHmac(token, alg, hmacSecret(alg, context))
    return { alg }
  }
  const keys = await server.keys.get(keyUse)
  // Fresh objects, because the library remembers keys by them, with a clock of its own.
  const verify = (jwks: oauth.JWKS) =>
    context.verify(
      { ...server.metadata },
      {
        [oauth.jwksCache]: { jwks, uat: Math.floor(Date.now() / 1000) },
      },
    )
  if (!keys) throw new ProviderError('the server has no keys')
  try {
    await verify(keys)
  } catch (error) {
    if (!isKeySelection(error)) throw error
    // OIDC Core §10.1.1: an unknown key means that the keys were rotated.
    const newer = await server.keys.get(keyUse, keys)
    if (!newer) throw error
    await verify(newer)
  }
  return { alg }
}

function isKeySelection(error: unknown): boolean {
  return error instanceof oauth.OperationProcessingError && error.code === oauth.KEY_SELECTION
}

function algorithmOf(token: string): string {
  const bytes = fromBase64Url(token.slice(0, token.indexOf('.')))
  const { alg } = (bytes && parseJsonObject(fromUtf8(bytes))) ?? {}
  if (typeof alg !== 'string') throw new ProviderError('the token has no algorithm')
  return alg
}

const hmacHashes: Readonly<Record<string, string>> = Object.freeze({
  __proto__: null,
  HS256: 'SHA-256',
  HS384: 'SHA-384',
  HS512: 'SHA-512',
} as object as Record<string, string>) // without a prototype, whose members would be algorithms

/** RFC 7518 §3.2: as long as the hash. Anyone who sees a token can brute-force shorter ones offline. */
const SHORTEST_SECRET = 32

/**
 * The key of an HMAC algorithm: the client secret, which a public client does not have (OIDC Core
 * §10.1). Such an algorithm counts where the client registered it; or where it registered none, the server
 * lists it, and the secret is as long as it has to be. Of several only HS256, which all servers have that
 * have any.
 */
function hmacSecret(
  alg: string,
  {
    registeredAlg,
    listedAlgs,
    clientSecret,
  }: Pick<Parameters<typeof verifySignature>[1], 'registeredAlg' | 'listedAlgs' | 'clientSecret'>,
): string {
  const isRegistered = alg === registeredAlg
  const isListed = alg === 'HS256' && Array.isArray(listedAlgs) && listedAlgs.includes(alg)
  if (!isRegistered && (registeredAlg !== undefined || !isListed)) {
    throw new ProviderError(`a token signed with ${alg} is not accepted`)
  }
  if (!clientSecret) throw new ProviderError(`a token signed with ${alg} needs a clientSecret`)
  if (!isRegistered && utf8(clientSecret).length < SHORTEST_SECRET) {
    throw new ProviderError(
      `a token signed with ${alg} needs a clientSecret of at least ${SHORTEST_SECRET} bytes. Have the ` +
        'server sign with RS256, or set client.id_token_signed_response_alg if you trust the secret',
    )
  }
  return clientSecret
}

async function verifyHmac(token: string, alg: string, secret: string): Promise<void> {
  const end = token.lastIndexOf('.')
  const signature = fromBase64Url(token.slice(end + 1))
  const hash = hmacHashes[alg] ?? ''
  const algorithm = { name: 'HMAC', hash }
  const key = await crypto.subtle.importKey('raw', utf8(secret), algorithm, false, ['verify'])
  const signed = utf8(token.slice(0, end))
  if (!signature || !(await crypto.subtle.verify(algorithm, key, signature, signed))) {
    throw new ProviderError("the token's signature is wrong")
  }
}
