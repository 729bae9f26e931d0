import { utf8 } from '../crypto/encoding.ts'
import { toHex } from '../crypto/hex.ts'
import { OAuthProfileParseError } from '../errors.ts'
import type { Account, Profile, TokenSet, User } from '../model.ts'
import type { ResolvedOAuthProvider } from './resolve-provider.ts'

/** Who signed in, and by what. */
export interface SignedIn {
  /** With an id that stays the same: see {@link stableUserId}. */
  readonly user: User & { readonly id: string }
  /** With all tokens. What is stored of them is up to the provider's `account`. */
  readonly account: Account & TokenSet & { readonly type: 'oauth' | 'oidc' }
  /** As the provider sent it. */
  readonly profile: Profile
}

/** Makes a user and an account of a profile. Rejects with an `OAuthProfileParseError`. */
export async function buildAccount(
  provider: Pick<ResolvedOAuthProvider, 'id' | 'type' | 'profile'>,
  profile: Profile,
  tokens: TokenSet,
  /** Asks the provider, for mappings that need to. */
  fetch: typeof globalThis.fetch = globalThis.fetch,
): Promise<SignedIn> {
  const mapped = await mapProfile(provider, profile, tokens, fetch)
  const providerAccountId = accountId(mapped.id)
  if (providerAccountId === null) {
    throw new OAuthProfileParseError(
      `profile() of ${JSON.stringify(provider.id)}: expected a user with an id, found ${describe(mapped.id)}.`,
      { cause: { provider: provider.id } },
    )
  }
  const { email, ...others } = mapped
  const address = emailOf(email)
  return {
    user: {
      ...others,
      ...(address === undefined ? {} : { email: address }),
      id: await stableUserId(provider.id, providerAccountId),
    },
    account: { ...tokens, provider: provider.id, type: provider.type, providerAccountId },
    profile,
  }
}

/**
 * The id of a user without a database: the same at every sign-in, so that `sub` identifies a person.
 *
 * Not `providerAccountId` itself, because providers do not know of each other: user 1 of one of them
 * would be user 1 of another. A UUID, as it has always been, so that columns and checks of that type
 * go on working: RFC 9562 version 8, made of a SHA-256 hash, since version 5 demands SHA-1. With a
 * database, a new user may get another id: somebody who was deleted and comes back is a new one.
 */
export async function stableUserId(provider: string, providerAccountId: string): Promise<string> {
  const name = utf8(JSON.stringify(['siteauth', provider, providerAccountId]))
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', name)).subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return toHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

async function mapProfile(
  provider: Pick<ResolvedOAuthProvider, 'id' | 'profile'>,
  profile: Profile,
  tokens: TokenSet,
  fetch: typeof globalThis.fetch,
): Promise<User & { readonly id?: unknown }> {
  let user: unknown
  try {
    user = await provider.profile(profile, tokens, { fetch })
  } catch (error) {
    const err = error instanceof Error ? error : new Error(String(error))
    const message = `profile() of ${JSON.stringify(provider.id)} threw: ${err.message}`
    throw new OAuthProfileParseError(message, { cause: { err, provider: provider.id } })
  }
  if (typeof user !== 'object' || user === null) {
    throw new OAuthProfileParseError(
      `profile() of ${JSON.stringify(provider.id)}: expected a user, found ${describe(user)}.`,
      { cause: { provider: provider.id } },
    )
  }
  return user
}

// What careless code makes of an id that is not there. Everybody would share it.
const notIds = ['', 'undefined', 'null', 'NaN', '[object Object]']

/** Who this is at the provider: a text, and the same text only for the same person. */
function accountId(id: unknown): string | null {
  if (typeof id === 'bigint') return String(id)
  // A number that is not exact may be that of two people.
  if (typeof id === 'number') return Number.isSafeInteger(id) ? String(id) : null
  if (typeof id !== 'string') return null
  return notIds.includes(id.trim()) ? null : id
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (typeof value === 'number') return 'a number that is no exact integer'
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : `a ${typeof value}`
}

/**
 * An address, in lower case: ASCII only, since some letters of other scripts become ASCII letters in
 * lower case, and so another person's address. What is no address is null, because applications
 * decide by its domain who may enter.
 */
function emailOf(email: unknown): string | null | undefined {
  if (email === undefined) return undefined
  if (typeof email !== 'string' || !address.test(email)) return null
  return email.replace(/[A-Z]/g, letter => letter.toLowerCase())
}

// One sign between two parts, and nothing that mail programs, headers or lists would split at. Also
// not the signs that look like it and are turned into it by normalisation.
const address =
  /^[^\s@\p{C}"(),:;<>[\\\]\uff20\ufe6b]{1,64}@[^\s@\p{C}"(),:;<>\\\uff20\ufe6b]{1,255}$/u
