import * as oauth from 'oauth4webapi'
import { USER_AGENT } from '../bounded-fetch.ts'
import { isUsedUp } from '../follow-redirects.ts'
import { parseJsonObject } from '../parse-json.ts'
import { clientAt, withoutSecrets } from '../protocol-library.ts'
import { clientAuthFor } from '../provider/client-auth.ts'
import type { ResolvedOAuthProvider } from '../provider/resolve-provider.ts'
import type { Server, ServerDirectory } from '../provider/server.ts'
import { ProviderError } from '../provider-error.ts'

// RFC 9449: tokens that are useless without a key. Loaded for providers that want it.

/** The key that the tokens of an account are bound to. */
export interface DpopKey {
  /** The private key as a JWK, in JSON: to be kept with the tokens, and as secret as they are. */
  readonly jwk: string
  /** Makes proofs, and knows the nonces that servers asked for. */
  readonly handle: oauth.DPoPHandle
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' }

/** Makes a key for a new account. */
export async function createDpopKey(client: oauth.Client, now: number): Promise<DpopKey> {
  const pair = await oauth.generateKeyPair('ES256', { extractable: true })
  const jwk = JSON.stringify(await crypto.subtle.exportKey('jwk', pair.privateKey))
  return { jwk, handle: oauth.DPoP(clientAt(client, now), pair) }
}

const MAX_HANDLES = 500

/** The key that was kept with an account. Its handle is used again: without its nonce, every request would be refused once. */
export async function openDpopKey(
  jwk: string,
  client: oauth.Client,
  { dpopHandles: handles }: Pick<ServerDirectory, 'dpopHandles'>,
  now: number,
): Promise<DpopKey> {
  const sharedHandle =
    handles.get(jwk) ?? importPair(jwk).then(pair => oauth.DPoP(clientAt(client, now), pair))
  if (handles.size >= MAX_HANDLES) handles.clear()
  handles.set(jwk, sharedHandle)
  return { jwk, handle: await sharedHandle }
}

async function importPair(text: string): Promise<CryptoKeyPair> {
  const { d, key_ops: _, ...open } = parseJsonObject(text) ?? {}
  // Sound: exported by createDpopKey, and sealed since.
  const [privateJwk, publicJwk] = [{ ...open, d } as JsonWebKey, open as JsonWebKey]
  return {
    privateKey: await crypto.subtle.importKey('jwk', privateJwk, ALGORITHM, false, ['sign']),
    publicKey: await crypto.subtle.importKey('jwk', publicJwk, ALGORITHM, true, ['verify']),
  }
}

/** Sends a grant to a token endpoint with a proof, and again if the server wants its nonce in it. */
export function askWithProof(...args: Parameters<typeof ask>): Promise<Response> {
  return withoutSecrets(async () => {
    const response = await ask(...args)
    return (await wantsNonce(response)) ? ask(...args) : response
  })
}

async function ask(
  provider: Pick<ResolvedOAuthProvider, 'client' | 'clientFacts'>,
  { metadata, fetch }: Server,
  parameters: URLSearchParams,
  now: number,
  { handle }: DpopKey,
): Promise<Response> {
  const { token_endpoint_auth_methods_supported: supported } = metadata
  const authenticate = clientAuthFor(provider.clientFacts, supported)
  return oauth.genericTokenEndpointRequest(
    metadata,
    clientAt(provider.client, now),
    async (_metadata, _client, body, headers) =>
      authenticate({ metadata, client: provider.client, body, headers, now }),
    parameters.get('grant_type') ?? '',
    parameters,
    {
      DPoP: handle,
      headers: { 'user-agent': USER_AGENT },
      // Sound: all that is sent is a form.
      [oauth.customFetch]: (url, init) => fetch(url, init as RequestInit),
      // Not to be mistaken: `fetch` demands TLS itself, and knows which exceptions were made.
      [oauth.allowInsecureRequests]: true,
    },
  )
}

async function wantsNonce(response: Response): Promise<boolean> {
  if (response.ok || !response.headers.has('dpop-nonce')) return false
  return parseJsonObject(await response.clone().text())?.['error'] === 'use_dpop_nonce'
}

/** Sends a request with a token and a proof, and again if the server wants its nonce in it. */
export async function fetchWithProof(
  key: DpopKey,
  accessToken: string,
  url: URL,
  init: RequestInit,
  fetch: typeof globalThis.fetch,
): Promise<Response> {
  const send = () => sendWithProof(key, accessToken, url, init, fetch)
  const { response, isNonceWanted } = await send()
  // A stream that was sent is gone.
  const isRepeatable = !isUsedUp(init.body)
  return isNonceWanted && isRepeatable ? (await send()).response : response
}

async function sendWithProof(
  { handle }: DpopKey,
  accessToken: string,
  url: URL,
  { method = 'GET', headers, body, ...init }: RequestInit,
  fetch: typeof globalThis.fetch,
): Promise<{ readonly response: Response; readonly isNonceWanted: boolean }> {
  try {
    const response = await oauth.protectedResourceRequest(
      accessToken,
      method,
      url,
      new Headers(headers),
      body as oauth.ProtectedResourceRequestBody, // what `fetch` takes, it takes
      {
        DPoP: handle,
        [oauth.customFetch]: (to, given) => fetch(to, { ...init, ...(given as RequestInit) }),
        [oauth.allowInsecureRequests]: true,
      },
    )
    return { response, isNonceWanted: false }
  } catch (error) {
    if (!(error instanceof oauth.WWWAuthenticateChallengeError)) throw error
    return { response: error.response, isNonceWanted: oauth.isDPoPNonceError(error) }
  }
}

/** A server that was shown a key, and binds nothing to it, gives away what was asked to be bound. */
export function assertBound(tokenType: unknown): void {
  if (tokenType === 'dpop') return
  throw new ProviderError('expected a token that is bound to a key, found one of another type')
}
