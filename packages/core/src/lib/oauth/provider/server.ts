import type * as oauth from 'oauth4webapi'
import { lazily } from '../../base/awaitable.ts'
import { boundFetch } from '../bounded-fetch.ts'
import { isPrivateHost } from '../private-host.ts'
import { ProviderError } from '../provider-error.ts'
import { publicFetch } from '../public-fetch.ts'
import { isSecureUrl, parseUrl, withoutQuery } from '../secure-url.ts'
import type { Discovery } from './discovery.ts'
import type { KeySource, KeyStore } from './key-store.ts'
import type { ResolvedOAuthProvider } from './resolve-provider.ts'

/** The server of a provider: where it is and what it can do. */
export interface Server {
  /** The issuer by its own name. Undefined for a plain OAuth server without a configured issuer. */
  readonly issuer: string | undefined
  readonly metadata: oauth.AuthorizationServer
  readonly keys: KeySource
  /** Asks this server, within bounds. */
  readonly fetch: typeof fetch
}

/** Finds the servers of providers. One per configuration: it caches their metadata. */
export interface ServerDirectory {
  /** Rejects with a {@link ProviderError}: callers say which step it spoilt. */
  serverFor(provider: ResolvedOAuthProvider): Promise<Server>
  /** The keys that proofs were made with, by their JWK, and the nonces that servers want in the next proof of each. */
  readonly dpopHandles: Map<string, Promise<oauth.DPoPHandle>>
}

export interface DirectoryOptions {
  readonly fetch: typeof fetch
  /** Whether that is the runtime's own, so that it may be replaced by one that chooses its connections. */
  readonly isRuntimesFetch?: boolean
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
  isRuntimesFetch = false,
  now,
  timeout = 10_000,
  lifetime = 600_000,
}: DirectoryOptions): ServerDirectory {
  const entries = new WeakMap<ResolvedOAuthProvider, Entry>()
  const documents = new WeakMap<typeof fetch, Map<string, Document>>()
  let keyStore: Promise<KeyStore> | undefined

  function entryFor(provider: ResolvedOAuthProvider): Entry {
    let entry = entries.get(provider)
    if (!entry) {
      const underlying = provider.fetch ?? defaultFetch
      const allowInsecure = provider.allowInsecureRequests
      const isReplaceable = isRuntimesFetch && !provider.fetch && demandsPublic(provider)
      const sent = isReplaceable ? publicFetch(underlying, configuredUrls(provider)) : underlying
      entry = { underlying, fetch: boundFetch(sent, { timeout, allowInsecure }) }
      entries.set(provider, entry)
    }
    return entry
  }

  /** One document per place that it is at, and per way that it is asked for. */
  function discover(discovery: Discovery, entry: Entry): Promise<oauth.AuthorizationServer> {
    const documentsByKey = documents.get(entry.underlying) ?? new Map<string, Document>()
    documents.set(entry.underlying, documentsByKey)
    const key = JSON.stringify(discovery)
    const cached = documentsByKey.get(key)
    if (cached && now() < cached.expires) return cached.metadata
    const metadata = requestMetadata(discovery, entry.fetch)
    // In flight it is shared by all who ask; a failure is forgotten, so that the next one may try.
    const document = { metadata, expires: now() + lifetime }
    documentsByKey.set(key, document)
    metadata.catch(() => documentsByKey.get(key) === document && documentsByKey.delete(key))
    return metadata
  }

  /** Only signatures need keys, and plain OAuth does not have any. */
  function keysAt(jwksUri: string | undefined, { underlying, fetch }: Entry): KeySource {
    return {
      async get(use, unfit) {
        keyStore ??= import('./key-store.ts').then(each => each.createKeyStore(now, lifetime))
        return (await keyStore).keysAt(jwksUri, underlying, fetch).get(use, unfit)
      },
    }
  }

  return {
    dpopHandles: new Map(),
    async serverFor(provider) {
      const entry = entryFor(provider)
      const { discovery } = provider
      const discovered = discovery && (await discover(discovery, entry))
      const metadata = metadataOf(provider, discovered)
      return {
        issuer: discovered?.issuer ?? provider.issuer,
        metadata,
        keys: keysAt(metadata.jwks_uri, entry),
        fetch: entry.fetch,
      }
    },
  }
}

const discovering = lazily(() => import('./request-metadata.ts'))

async function requestMetadata(
  discovery: Discovery,
  fetch: typeof globalThis.fetch,
): Promise<oauth.AuthorizationServer> {
  return discovering(each => each.requestMetadata(discovery, fetch))
}

interface Entry {
  readonly underlying: typeof fetch
  readonly fetch: typeof fetch
}

interface Document {
  readonly metadata: Promise<oauth.AuthorizationServer>
  readonly expires: number
}

/** Whether what the metadata names must be public: see {@link assertSecureUrl}. */
function demandsPublic({ discovery }: Pick<ResolvedOAuthProvider, 'discovery'>): boolean {
  const place = parseUrl(discovery?.url ?? '')
  // If the server itself is on a private network, as in development, so are its endpoints.
  return place !== null && !isPrivateHost(place.hostname)
}

/** The endpoints that the application has configured, which may be anywhere. */
function configuredUrls(provider: ResolvedOAuthProvider): ReadonlySet<string> {
  const { authorization, token, userinfo, jwksUri, endSession, revocationUrl } = provider
  const urls = [authorization.url, token.url, userinfo.url, jwksUri, endSession.url, revocationUrl]
  return new Set(urls.flatMap(each => parseUrl(each ?? '')?.href ?? []))
}

/**
 * An endpoint that only signing out needs, checked only then: a faulty one does not prevent users from signing in.
 */
export function logoutEndpoint(
  provider: ResolvedOAuthProvider,
  { metadata }: Pick<Server, 'metadata'>,
  name: 'end_session_endpoint' | 'revocation_endpoint',
): string | undefined {
  const { endSession, revocationUrl } = provider
  const configured = name === 'end_session_endpoint' ? endSession.url : revocationUrl
  const url = configured ?? metadata[name]
  assertSecureUrl(name, url, {
    allowInsecure: provider.allowInsecureRequests,
    demandsPublic: configured === undefined && demandsPublic(provider),
  })
  return typeof url === 'string' ? url : undefined
}

/** Configured values win over discovered ones. */
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
  const isPublic = demandsPublic(provider)
  for (const [name, url] of Object.entries(configured)) if (url) metadata[name] = url
  // A name is needed for client assertions: RFC 7523 §3 lets the token endpoint stand for a server without one. It is
  // never compared with a server's claims: see Server.issuer.
  metadata['issuer'] ??= issuer ?? token.url ?? authorization.url
  for (const name of ENDPOINTS) {
    const isConfigured = name in configured && configured[name as keyof typeof configured]
    assertSecureUrl(name, metadata[name], {
      allowInsecure: provider.allowInsecureRequests,
      demandsPublic: isPublic && !isConfigured,
    })
  }
  // RFC 8705 §5: other addresses of the same endpoints, for those who show a certificate.
  const aliases = metadata['mtls_endpoint_aliases']
  for (const [name, url] of Object.entries(typeof aliases === 'object' ? (aliases ?? {}) : {})) {
    const allowInsecure = provider.allowInsecureRequests
    assertSecureUrl(`mtls_endpoint_aliases.${name}`, url, {
      allowInsecure,
      demandsPublic: isPublic,
    })
  }
  // Sound: the protocol library checks each member when it reads it, and `issuer` is set.
  return metadata as unknown as oauth.AuthorizationServer
}

const ENDPOINTS = [
  'authorization_endpoint',
  'token_endpoint',
  'userinfo_endpoint',
  'jwks_uri',
  'pushed_authorization_request_endpoint',
]

/**
 * Endpoints are requested by this server, with secrets. The metadata of a public server must not cause requests to
 * the machines around us, which trust us.
 */
function assertSecureUrl(
  name: string,
  value: unknown,
  requirements: { readonly allowInsecure: boolean; readonly demandsPublic: boolean },
): void {
  if (value === undefined) return
  const url = typeof value === 'string' ? parseUrl(value) : null
  if (!url || !isSecureUrl(url, requirements)) {
    const found = url ? withoutQuery(url) : typeof value
    throw new ProviderError(`${name}: expected an https URL, found ${found}`)
  }
  if (requirements.demandsPublic && isPrivateHost(url.hostname)) {
    throw new ProviderError(
      `${name}: expected a public address in the metadata of a public server, found ` +
        `${withoutQuery(url)}. If that is right, configure the endpoint`,
    )
  }
}

/**
 * The server behind a provider: its issuer or, without one, its token endpoint. Two configurations may use one id for
 * different servers, and neither can speak for the other.
 */
export function serverIdentity({
  issuer,
  discovery,
  token,
}: Pick<ResolvedOAuthProvider, 'issuer' | 'discovery' | 'token'>): string | undefined {
  return issuer ?? discovery?.url ?? token.url
}
