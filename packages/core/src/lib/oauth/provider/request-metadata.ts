import * as oauth from 'oauth4webapi'
import { withoutSecrets } from '../protocol-library.ts'
import { ProviderError, readable } from '../provider-error.ts'
import { parseUrl, withoutQuery } from '../secure-url.ts'
import type { Discovery } from './discovery.ts'

/** Asks a server what it can do, and checks that it is the one that was meant. */
export async function requestMetadata(
  discovery: Discovery,
  fetch: typeof globalThis.fetch,
): Promise<oauth.AuthorizationServer> {
  const response = await fetch(discovery.url, { headers: { accept: 'application/json' } })
  const address = withoutQuery(new URL(discovery.url))
  if (response.status !== 200) {
    throw new ProviderError(`expected metadata at ${address}, found status ${response.status}`, {
      status: response.status,
    })
  }
  const document: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  const issuer = issuerOf(document)
  if (issuer === undefined) {
    const type = readable(response.headers.get('content-type')) ?? 'no content type'
    throw new ProviderError(`expected metadata with an issuer at ${address}, found ${type}`)
  }
  const expected = expectedIssuer(discovery, issuer)
  if (!expected) {
    throw new ProviderError(
      `expected the issuer ${discovery.issuers.join(' or ')} at ${address}, found ${readable(issuer)}`,
    )
  }
  const metadata = await withoutSecrets(() => oauth.processDiscoveryResponse(expected, response))
  return { ...metadata, ...verifiable(metadata) }
}

function issuerOf(document: unknown): string | undefined {
  if (typeof document !== 'object' || document === null) return undefined
  const { issuer } = document as { issuer?: unknown }
  return typeof issuer === 'string' && issuer !== '' ? issuer : undefined
}

/**
 * OIDC Discovery §4.3: the issuer must be the one that was asked for. Compared as URLs, which for a
 * bare origin lets the final slash come or go; with a path it counts.
 */
function expectedIssuer({ issuers, origin }: Discovery, found: string): URL | undefined {
  const url = parseUrl(found)
  if (!url) return undefined
  if (origin !== undefined && url.origin === origin) return url
  return issuers.some(each => parseUrl(each)?.href === url.href) ? url : undefined
}

const VERIFIABLE: Readonly<Record<string, RegExp>> = {
  // By the client secret, and under conditions of its own: see `verifySignature`.
  id_token_signing_alg_values_supported: /^(?:(?:RS|PS|ES|Ed|ML-DSA)|HS256$)/,
  userinfo_signing_alg_values_supported: /^(?:RS|PS|ES|Ed|ML-DSA)/,
}

/** Algorithms that prove nothing, such as `none`, are never accepted because a server lists them. */
function verifiable(metadata: oauth.AuthorizationServer): Partial<oauth.AuthorizationServer> {
  const lists = Object.entries(VERIFIABLE).flatMap(([name, pattern]) => {
    const { [name]: list } = metadata
    const isVerifiable = (alg: unknown) => typeof alg === 'string' && pattern.test(alg)
    return Array.isArray(list) ? [[name, list.filter(isVerifiable)]] : []
  })
  return Object.fromEntries(lists)
}
