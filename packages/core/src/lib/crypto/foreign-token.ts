// Only for Auth.js: tokens that it sealed, or that were sealed for it, in ways in which we never do.
import { fromBase64Url } from '#crypto'
import type { Awaitable } from '../base/awaitable.ts'
import { fromUtf8 } from './encoding.ts'
import type { TokenKey } from './keys.ts'
import { asObject, type Claims, type Opened, type OpenFailure } from './opened-token.ts'
import type { ContentEncryption } from './primitives.ts'

/**
 * Opens a token whose header is not one that we write: with another key id or none, with other
 * members, or encrypted in the other way that is accepted.
 */
export async function openForeign<Key>(
  token: string,
  keysFor: (encryption: ContentEncryption) => Promise<readonly TokenKey<Key>[]>,
  decrypt: (key: TokenKey<Key>, header: string, rest: string) => Awaitable<Opened | OpenFailure>,
): Promise<Opened | OpenFailure> {
  const end = token.indexOf('.')
  const header = token.slice(0, end)
  const facts = readHeader(header)
  if (typeof facts === 'string') return facts
  if (token[end + 1] !== '.') return 'malformed' // `dir` has no encrypted key
  const candidates = await keysFor(facts.encryption)
  // Without a key id there is nothing to choose by: the newest secret it is.
  const key =
    facts.kid === undefined ? candidates[0] : candidates.find(each => each.kid === facts.kid)
  if (!key) return 'unknown key'
  const opened = await decrypt(key, header, token.slice(end + 2))
  if (typeof opened === 'string') return opened
  return repeatsClaims(facts.claims, opened.claims) ? opened : 'malformed'
}

interface HeaderFacts {
  readonly encryption: ContentEncryption
  readonly kid: string | undefined
  readonly claims: Claims
}

function readHeader(header: string): HeaderFacts | OpenFailure {
  const members = parseObject(header)
  if (!members) return 'malformed'
  const { alg, enc, kid } = members as { alg?: unknown; enc?: unknown; kid?: unknown }
  if (alg !== 'dir' || (enc !== 'A256CBC-HS512' && enc !== 'A256GCM')) return 'unsupported'
  // RFC 7516 §4.1.13: what is marked critical must be understood. Nothing is, nor is compression.
  if ('crit' in members || 'zip' in members || 'b64' in members) return 'unsupported'
  if (kid !== undefined && typeof kid !== 'string') return 'malformed'
  return { encryption: enc, kid, claims: members }
}

function parseObject(encoded: string): Claims | null {
  const bytes = fromBase64Url(encoded)
  if (!bytes) return null
  try {
    return asObject(JSON.parse(fromUtf8(bytes)))
  } catch {
    return null
  }
}

/** RFC 7519 §5.3: claims that are repeated in the header must be the same there. */
function repeatsClaims(header: Claims, claims: Claims): boolean {
  return ['iss', 'sub', 'aud'].every(
    name => !(name in header) || JSON.stringify(header[name]) === JSON.stringify(claims[name]),
  )
}
