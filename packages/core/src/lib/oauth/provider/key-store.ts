import type * as oauth from 'oauth4webapi'
import { ProviderError, ProviderKeyError } from '../provider-error.ts'
import { withoutQuery } from '../secure-url.ts'

/**
 * The purpose of a key: to verify a token that the server itself has just returned, or a logout token, which anyone
 * can post. Key ids that an attacker makes up must not prevent users from signing in after the keys were rotated.
 */
export type KeyUse = 'response' | 'logout token'

/** The public keys of one server. */
export interface KeySource {
  /**
   * The keys, from memory if they are young enough. Where `unfit` were tried and held no key that
   * fits, asks again, because keys are rotated; but for each use not more often than every 30 seconds,
   * because anyone can make up key ids. Null if there is nothing newer to be had.
   */
  get(use: KeyUse, unfit?: oauth.JWKS): Promise<oauth.JWKS | null>
}

export interface KeyStore {
  keysAt(jwksUri: string | undefined, owner: typeof fetch, ask: typeof fetch): KeySource
}

const COOLDOWN = 30_000

/** Remembers public keys by where they are. */
export function createKeyStore(now: () => number, lifetime: number): KeyStore {
  const sources = new WeakMap<typeof fetch, Map<string, KeySource>>()
  return {
    keysAt(jwksUri, owner, ask) {
      if (!jwksUri) return noKeys
      const sourcesByUri = sources.get(owner) ?? new Map<string, KeySource>()
      sources.set(owner, sourcesByUri)
      const source = sourcesByUri.get(jwksUri) ?? createKeySource(jwksUri, ask, now, lifetime)
      sourcesByUri.set(jwksUri, source)
      return source
    },
  }
}

const noKeys: KeySource = {
  get: () =>
    Promise.reject(
      new ProviderError(
        'a signature must be checked, but neither the metadata nor jwks_endpoint says where the keys are',
      ),
    ),
}

function createKeySource(
  jwksUri: string,
  fetch: typeof globalThis.fetch,
  now: () => number,
  lifetime: number,
): KeySource {
  let current: oauth.JWKS | undefined
  let expires = 0
  const requestedAgain = new Map<KeyUse, number>()
  let inFlight: Promise<oauth.JWKS> | undefined

  function ask(): Promise<oauth.JWKS> {
    inFlight ??= requestKeys(jwksUri, fetch)
      .then(keys => {
        expires = now() + lifetime
        current = keys
        return keys
      })
      .finally(() => {
        inFlight = undefined
      })
    return inFlight
  }

  return {
    async get(use, unfit) {
      if (inFlight) return inFlight
      if (!current || now() >= expires) return ask()
      if (!unfit || unfit !== current) return current
      // The first time at once: keys may have been rotated just after they were asked for.
      if (now() - (requestedAgain.get(use) ?? Number.NEGATIVE_INFINITY) < COOLDOWN) return null
      requestedAgain.set(use, now())
      return ask()
    },
  }
}

async function requestKeys(jwksUri: string, fetch: typeof globalThis.fetch): Promise<oauth.JWKS> {
  const accept = 'application/json, application/jwk-set+json'
  const response = await fetch(jwksUri, { headers: { accept } }).catch(error => {
    throw error instanceof ProviderError ? new ProviderKeyError(error.message, error.facts) : error
  })
  const body: unknown = await response.json().catch(() => null)
  const { status } = response
  if (status !== 200 || !isKeySet(body)) {
    const place = withoutQuery(new URL(jwksUri))
    throw new ProviderKeyError(`expected keys at ${place}, found none (status ${status})`, {
      status,
    })
  }
  return body
}

function isKeySet(value: unknown): value is oauth.JWKS {
  if (typeof value !== 'object' || value === null) return false
  const { keys } = value as { keys?: unknown }
  return Array.isArray(keys) && keys.every(each => typeof each === 'object' && each !== null)
}
