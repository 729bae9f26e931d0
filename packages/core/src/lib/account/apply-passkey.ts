import type { EventCallbacks } from '../callbacks.ts'
import { AccountNotLinked } from '../errors.ts'
import type { Adapter, AdapterAccount, AdapterUser, Authenticator } from '../model.ts'
import type { Linked } from './apply-link.ts'
import { decideLink } from './decide-link.ts'

/** The methods that a new passkey asks of an adapter, and those that it uses where they are there. */
export type PasskeyRows = Required<
  Pick<Adapter, 'createUser' | 'getUserByEmail' | 'linkAccount' | 'createAuthenticator'>
> &
  Pick<Adapter, 'createUserWithAccount' | 'deleteUser' | 'unlinkAccount'>

type AccountKey = Pick<AdapterAccount, 'type' | 'provider' | 'providerAccountId'>

/** A passkey that was just made, and for whom. */
export interface NewPasskey {
  readonly account: AccountKey
  readonly authenticator: Omit<Authenticator, 'userId'>
  /** Who is signed in, and wants it added. */
  readonly currentUser: AdapterUser | null
  /** Who signs up with it. */
  readonly signUp: { readonly email: string; readonly name: string | null } | null
}

/** Stores a new passkey, for whoever is signed in or for somebody who signs up. */
export async function applyPasskey(
  rows: PasskeyRows,
  events: Partial<EventCallbacks>,
  passkey: NewPasskey,
): Promise<Linked> {
  const { currentUser, signUp } = passkey
  const userByEmail = signUp ? await rows.getUserByEmail(signUp.email) : null
  const facts = { userByAccount: null, currentUser, userByEmail, mayLinkByEmail: false }
  const decision = decideLink(facts)
  if (decision.do === 'create' && signUp) return create(rows, events, passkey, signUp)
  if (decision.do === 'link') return add(rows, events, passkey, decision.user)
  throw new AccountNotLinked('The address has an account. Sign in first, then add a passkey.')
}

async function create(
  rows: PasskeyRows,
  events: Partial<EventCallbacks>,
  { account, authenticator }: NewPasskey,
  { email, name }: { readonly email: string; readonly name: string | null },
): Promise<Linked> {
  const profile = { email, ...(name !== null && { name }) }
  const newUser = { ...profile, id: crypto.randomUUID(), emailVerified: null }
  const made = rows.createUserWithAccount
    ? await rows.createUserWithAccount({ user: newUser, account })
    : await createBoth(rows, newUser, account)
  if (!made) throw new AccountNotLinked('Somebody has just signed up with this address.')
  const { user } = made
  try {
    await rows.createAuthenticator({ ...authenticator, userId: user.id })
  } catch (error) {
    // A user without a key could never sign in, and would keep the address from everybody.
    await rows.deleteUser?.(user.id)
    throw error
  }
  await events.createUser?.({ user })
  await events.linkAccount?.({ user, account: withOwner(account, user), profile })
  return { user, isNewUser: true }
}

async function createBoth(
  rows: PasskeyRows,
  newUser: AdapterUser,
  account: AccountKey,
): Promise<{ readonly user: AdapterUser }> {
  const user = await rows.createUser(newUser)
  await rows.linkAccount(withOwner(account, user))
  return { user }
}

async function add(
  rows: PasskeyRows,
  events: Partial<EventCallbacks>,
  { account, authenticator }: NewPasskey,
  user: AdapterUser,
): Promise<Linked> {
  const owned = withOwner(account, user)
  await rows.linkAccount(owned)
  try {
    await rows.createAuthenticator({ ...authenticator, userId: user.id })
  } catch (error) {
    const { provider, providerAccountId } = owned
    await rows.unlinkAccount?.({ provider, providerAccountId })
    throw error
  }
  await events.linkAccount?.({ user, account: owned, profile: user })
  return { user, isNewUser: false }
}

function withOwner(account: AccountKey, user: AdapterUser): AdapterAccount {
  return { ...account, userId: user.id }
}
