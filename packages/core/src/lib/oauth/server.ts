import * as oauth from 'oauth4webapi'
import { boundFetch } from './bounded-fetch.ts'
import { createKeyStore, type KeySource } from './key-store.ts'
import { ProviderFault, readable } from './provider-fault.ts'
import type { Discovery, ResolvedOAuthProvider } from './resolve-provider.ts'
import { isSecureUrl, parseUrl, withoutQuery } from './secure-url.ts'

/** The server of a provider: where it is and what it can do. */
export interface Server {
  /** As it names itself. Undefined for a plain OAuth server whose issuer nobody configured. */
  readonly issuer: string | undefined
  readonly metadata: oauth.AuthorizationServer
  readonly keys: KeySource
  /** Asks this server, within bounds. */
  readonly fetch: typeof fetch
}

/** Finds the servers of providers. One per configuration: it remembers what it was told. */
export interface ServerDirectory {
  /** Rejects with a {@link ProviderFault}: callers say which step it spoilt. */
  serverFor(provider: ResolvedOAuthProvider): Promise<Server>
}

export interface DirectoryOptions {
  readonly fetch: typeof fetch
  /** The time, in milliseconds. */
  readonly now: () => number
  /** How long a server may take for one answer, in milliseconds. */
  readonly timeout?: number
  /** How long metadata and keys are believed, in milliseconds. */
  readonly lifetime?: number
}

/** Makes a directory of authorization servers. Nothing is asked before it is needed. */
export function createServerDirectory({
  fetch: defaultFetch,
  now,
  timeout = 10_000,
  lifetime = 600_000,
}: DirectoryOptions): ServerDirectory {
  const entries = new WeakMap<ResolvedOAuthProvider, Entry>()
  const documents = new WeakMap<typeof fetch, Map<string, Document>>()
  const keyStore = createKeyStore(now, lifetime)

  function entryFor(provider: ResolvedOAuthProvider): Entry {
    let entry = entries.get(provider)
    if (!entry) {
      const underlying = provider.fetch ?? defaultFetch
      const allowInsecure = provider.allowInsecureRequests
      entry = { underlying, fetch: boundFetch(underlying, { timeout, allowInsecure }) }
      entries.set(provider, entry)
    }
    return entry
  }

  /** One document per place that it is at, and per way that it is asked for. */
  function discover(discovery: Discovery, entry: Entry): Promise<oauth.AuthorizationServer> {
    const known = documents.get(entry.underlying) ?? new Map<string, Document>()
    documents.set(entry.underlying, known)
    const key = JSON.stringify(discovery)
    const cached = known.get(key)
    if (cached && now() < cached.expires) return cached.metadata
    const metadata = requestMetadata(discovery, entry.fetch)
    // In flight it is shared by all who ask; a failure is forgotten, so that the next one may try.
    const document = { metadata, expires: now() + lifetime }
    known.set(key, document)
    metadata.catch(() => known.get(key) === document && known.delete(key))
    return metadata
  }

  return {
    async serverFor(provider) {
      const entry = entryFor(provider)
      const { discovery } = provider
      const discovered = discovery && (await discover(discovery, entry))
      const metadata = metadataOf(provider, discovered)
      return {
        issuer: discovered?.issuer ?? provider.issuer,
        metadata,
        keys: keyStore.keysAt(metadata.jwks_uri, entry.underlying, entry.fetch),
        fetch: entry.fetch,
      }
    },
  }
}

interface Entry {
  readonly underlying: typeof fetch
  readonly fetch: typeof fetch
}

interface Document {
  readonly metadata: Promise<oauth.AuthorizationServer>
  readonly expires: number
}

async function requestMetadata(
  discovery: Discovery,
  fetch: typeof globalThis.fetch,
): Promise<oauth.AuthorizationServer> {
  const response = await fetch(discovery.url, { headers: { accept: 'application/json' } })
  const place = withoutQuery(new URL(discovery.url))
  if (response.status !== 200) {
    throw new ProviderFault(`expected metadata at ${place}, found status ${response.status}`, {
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
    throw new ProviderFault(`expected metadata with an issuer at ${place}, found ${type}`)
  }
  const expected = expectedIssuer(discovery, issuer)
  if (!expected) {
    throw new ProviderFault(
      `expected the issuer ${discovery.issuers.join(' or ')} at ${place}, found ${readable(issuer)}`,
    )
  }
  return oauth.processDiscoveryResponse(expected, response)
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

/** What is configured wins over what is discovered. */
function metadataOf(
  provider: ResolvedOAuthProvider,
  discovered: oauth.AuthorizationServer | undefined,
): oauth.AuthorizationServer {
  const { authorization, token, userinfo, jwksUri, issuer } = provider
  const configured = {
    authorization_endpoint: authorization.url,
    token_endpoint: token.url,
    userinfo_endpoint: userinfo.url,
    jwks_uri: jwksUri,
  }
  const metadata: Record<string, unknown> = { ...discovered }
  for (const [name, url] of Object.entries(configured)) if (url) metadata[name] = url
  // A name is needed for client assertions: RFC 7523 §3 lets the token endpoint stand for a server
  // without one. It is never compared with anything that a server says: see Server.issuer.
  metadata['issuer'] ??= issuer ?? token.url ?? authorization.url
  // Algorithms that no public key verifies are never accepted because a server lists them.
  for (const name of ['id_token', 'userinfo']) {
    const list = metadata[`${name}_signing_alg_values_supported`]
    if (Array.isArray(list)) {
      metadata[`${name}_signing_alg_values_supported`] = list.filter(isAsymmetric)
    }
  }
  demandSecureEndpoints(metadata, provider.allowInsecureRequests)
  // Sound: the protocol library checks each member when it reads it, and `issuer` is set.
  return metadata as unknown as oauth.AuthorizationServer
}

function isAsymmetric(algorithm: unknown): boolean {
  return typeof algorithm === 'string' && /^(?:RS|PS|ES|Ed|ML-DSA)/.test(algorithm)
}

function demandSecureEndpoints(metadata: Record<string, unknown>, allowInsecure: boolean): void {
  const names = [
    'authorization_endpoint',
    'token_endpoint',
    'userinfo_endpoint',
    'jwks_uri',
    'pushed_authorization_request_endpoint',
  ]
  for (const name of names) {
    const value = metadata[name]
    if (value === undefined) continue
    const url = typeof value === 'string' ? parseUrl(value) : null
    if (!url || !isSecureUrl(url, allowInsecure)) {
      const found = url ? withoutQuery(url) : typeof value
      throw new ProviderFault(`${name}: expected an https URL, found ${found}`)
    }
  }
}
