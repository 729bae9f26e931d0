import type { AdapterAccount, AdapterSession, AdapterUser } from '../../base/adapter.ts'
import type { SessionDetails } from '../../base/session.ts'
import type { DefaultUser, TokenSet, User } from '../../base/user.ts'

/**
 * The storable part of the tokens that a provider sent: everything except the names that mean something in our own
 * records. Stores and callbacks would take `userId` for the owner of the account.
 */
export function storableTokens(tokens: TokenSet): TokenSet {
  return pick(tokens, name => !isOurs(name))
}

/**
 * The storable part of the user that `profile()` returned. Many mappings copy the whole profile, so a member that is
 * named as one of ours is kept only if the application wrote it itself, and members that the engine decides are
 * removed.
 */
export function storableUser<U extends User>(user: U, profile: Sent): U {
  const copy = pick(user as Sent, (name, value) => {
    if (mapped.includes(name) || !isOurs(name)) return true
    return !decided.includes(name) && !isCopied(value, name, profile)
  })
  return copy as U // only optional members are missing
}

type Sent = Readonly<Record<string, unknown>>

/** The members that a type names, without those of its index signature. */
type NamesOf<T> = keyof { [K in keyof T as string extends K ? never : K]: T[K] }

// An account, a user and a session, as a store has them. The type reports a missing one.
const records: Record<
  | Exclude<NamesOf<AdapterAccount>, NamesOf<TokenSet>>
  | keyof DefaultUser
  | Exclude<keyof AdapterUser, keyof User>
  // The names of sessions decide nothing.
  | Exclude<keyof AdapterSession, keyof SessionDetails>,
  true
> = {
  provider: true,
  providerAccountId: true,
  type: true,
  userId: true,
  id: true,
  name: true,
  email: true,
  emailVerified: true,
  image: true,
  sessionToken: true,
  expires: true,
  token_error: true,
  dpop_key: true,
  issuer: true,
}

// Some stores write to other tables through such a member.
const relations = ['user', 'accounts', 'sessions', 'authenticators']

// The user of a session token: callbacks copy accounts and users into one.
const claims = ['sub']

// Members that objects inherit, and lose if someone assigns them.
const inherited = ['__proto__', 'constructor', 'prototype']

// Columns of our own stores that say who refreshes an account's tokens.
const leases = ['lease_holder', 'lease_until']

const ours = new Set([...Object.keys(records), ...relations, ...claims, ...inherited, ...leases])

function isOurs(name: string): boolean {
  return ours.has(name)
}

/** Members that a mapping exists to set. */
const mapped: readonly string[] = ['id', 'name', 'email', 'image'] satisfies (keyof DefaultUser)[]

/** Members that a mapping never decides. */
const decided: readonly string[] = [
  'userId',
  'providerAccountId',
  'sessionToken',
  'emailVerified',
  ...claims,
  ...inherited,
]

/** Whether a value is the provider's. An object may have been copied on the way. */
function isCopied(value: unknown, name: string, profile: Sent): boolean {
  if (!Object.hasOwn(profile, name)) return false
  const sent = profile[name]
  return Object.is(value, sent) || (typeof value === 'object' && typeof sent === 'object')
}

function pick(
  object: Sent,
  isPicked: (name: string, value: unknown) => boolean,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(entry => isPicked(...entry)))
}
