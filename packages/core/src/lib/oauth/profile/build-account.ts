import { readAddress } from '../../base/email-address.ts'
import { OAuthProfileParseError } from '../../base/errors.ts'
import type { Account, Profile, TokenSet, User } from '../../base/user.ts'
import { toHex, utf8 } from '../../crypto/encoding.ts'
import type { ResolvedOAuthProvider } from '../provider/resolve-provider.ts'
import { storableTokens, storableUser } from '../provider/sent-members.ts'
import { serverIdentity } from '../provider/server.ts'
import { parseUrl } from '../secure-url.ts'
import { vouchesForEmail } from './vouches-for-email.ts'

/** The user who signed in, and the account. */
export interface SignedIn {
  /** With an id that stays the same: see {@link stableUserId}. */
  readonly user: User & { readonly id: string }
  /** With all that the token endpoint sent and {@link storableTokens} let through. */
  readonly account: Account & TokenSet & { readonly type: 'oauth' | 'oidc' }
  /** As the provider sent it. */
  readonly profile: Profile
  /** Whether the provider states that the person has proved to own `user.email`. */
  readonly isEmailProven: boolean
}

/** Makes a user and an account of a profile. Rejects with an `OAuthProfileParseError`. */
export async function buildAccount(
  provider: Pick<
    ResolvedOAuthProvider,
    'id' | 'type' | 'profile' | 'issuer' | 'discovery' | 'token' | 'emailVerified' | 'emailField'
  >,
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
  const { email, ...others } = storableUser(mapped, profile)
  // A text that is not an address becomes null, because applications decide by its domain who may enter.
  const address = email === undefined ? undefined : readAddress(email)
  return {
    user: {
      ...others,
      ...(address === undefined ? {} : { email: address }),
      id: await stableUserId(provider.id, serverIdentity(provider), providerAccountId),
    },
    account: {
      ...storableTokens(tokens),
      provider: provider.id,
      type: provider.type,
      providerAccountId,
    },
    profile,
    isEmailProven: vouchesForEmail(provider, profile, { email: address ?? null }),
  }
}

/**
 * The id of a user without a database: the same at every sign-in, so that `sub` identifies a
 * person.
 *
 * Not `providerAccountId` itself, because providers do not know of each other: user 1 of one of
 * them would be user 1 of another. Nor do servers that two configurations call by one id, so the
 * server counts, too. A UUID, as it has always been, so that columns and checks of that type go on
 * working: RFC 9562 version 8, made of a SHA-256 hash, since version 5 demands SHA-1. With a
 * database, a new user may get another id: someone who was deleted and comes back is a new one.
 */
export async function stableUserId(
  provider: string,
  server: string | undefined,
  providerAccountId: string,
): Promise<string> {
  // As a URL, because the slash after a bare origin may come or go.
  const url = parseUrl(server ?? '')?.href ?? null
  const name = utf8(JSON.stringify(['siteauth', provider, url, providerAccountId]))
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

// The values that careless code makes of a missing id. Everyone would share it.
const notIds = ['', 'undefined', 'null', 'NaN', '[object Object]']

/** The person's id at the provider: a text, and the same text only for the same person. */
function accountId(id: unknown): string | null {
  if (typeof id === 'bigint') return String(id)
  // A number that is not exact may be that of two people.
  if (typeof id === 'number') return Number.isSafeInteger(id) ? String(id) : null
  if (typeof id !== 'string') return null
  return notIds.includes(id.trim()) ? null : id
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (typeof value === 'number') return 'a number that is not an exact integer'
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : `a ${typeof value}`
}
