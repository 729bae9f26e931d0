import type { Adapter, AdapterAccount, AdapterUser, Authenticator } from '../base/adapter.ts'
import type { EventCallbacks } from '../base/callbacks.ts'
import { AccountNotLinked, InvalidCheck } from '../base/errors.ts'
import { uuidFrom } from '../crypto/random.ts'
import { discard } from './create-user.ts'
import { findByAddress } from './find-by-address.ts'
import type { Linked } from './provider-sign-in.ts'

/** The methods that a new passkey asks of an adapter, and those that it uses where they are there. */
export type PasskeyRows = Required<
  Pick<Adapter, 'createUser' | 'getUserByEmail' | 'linkAccount' | 'createAuthenticator'>
> &
  Pick<
    Adapter,
    | 'createUserWithAccount'
    | 'getUser'
    | 'getAccount'
    | 'deleteUser'
    | 'unlinkAccount'
    | 'deleteAuthenticator'
    | 'deleteSessions'
  >

type AccountKey = Pick<AdapterAccount, 'type' | 'provider' | 'providerAccountId'>

/** A passkey that was just created, and its user. */
export interface NewPasskey {
  readonly account: AccountKey
  readonly authenticator: Omit<Authenticator, 'userId'>
  /** The user who requested it while signed in, and wants it added. */
  readonly addTo: AdapterUser | null
  /** Whether that user is signed in in this browser at this moment. */
  readonly isStillSignedIn: () => Promise<boolean>
  /** The user who signs up with it. */
  readonly signUp: { readonly email: string; readonly name: string | null } | null
  readonly randomHex: (bytes: number) => string
}

/** Stores a new passkey, for the person who asked for it while signed in or for someone signing up. */
export async function applyPasskey(
  rows: PasskeyRows,
  events: Partial<EventCallbacks>,
  passkey: NewPasskey,
): Promise<Linked> {
  const { addTo, signUp } = passkey
  if (addTo) return add(rows, events, passkey, addTo)
  if (!signUp || (await findByAddress(rows, signUp.email))) {
    throw new AccountNotLinked('The address has an account. Sign in first, then add a passkey.')
  }
  return create(rows, events, passkey, signUp)
}

async function create(
  rows: PasskeyRows,
  events: Partial<EventCallbacks>,
  { account, authenticator, randomHex }: NewPasskey,
  { email, name }: { readonly email: string; readonly name: string | null },
): Promise<Linked> {
  const profile = { email, ...(name !== null && { name }) }
  const newUser = { ...profile, id: uuidFrom(randomHex(16)), emailVerified: null }
  const made = rows.createUserWithAccount
    ? await rows.createUserWithAccount({ user: newUser, account })
    : { user: await rows.createUser(newUser) }
  if (!made) throw new AccountNotLinked('Someone has just signed up with this address.')
  const { user } = made
  try {
    if (!rows.createUserWithAccount) await rows.linkAccount(withOwner(account, user))
    await rows.createAuthenticator({ ...authenticator, userId: user.id })
    if (!(await isLinked(rows, account, user))) {
      const { credentialID } = authenticator
      await rows.deleteAuthenticator?.({ userId: user.id, credentialID })
      throw new InvalidCheck(
        'Someone proved the address while someone else was signing up with it.',
      )
    }
  } catch (error) {
    await discard(rows, user)
    throw error
  }
  await events.createUser?.({ user })
  await events.linkAccount?.({ user, account: withOwner(account, user), profile })
  return { user, isNewUser: true }
}

async function add(
  rows: PasskeyRows,
  events: Partial<EventCallbacks>,
  { account, authenticator, isStillSignedIn }: NewPasskey,
  user: AdapterUser,
): Promise<Linked> {
  const owned = withOwner(account, user)
  if (!(await isStillSignedIn())) throw left()
  await rows.linkAccount(owned)
  try {
    await rows.createAuthenticator({ ...authenticator, userId: user.id })
    if (!(await isStillSignedIn())) throw left()
  } catch (error) {
    const { provider, providerAccountId } = owned
    const { credentialID } = authenticator
    await rows.unlinkAccount?.({ provider, providerAccountId })
    await rows.deleteAuthenticator?.({ userId: user.id, credentialID })
    // If someone has proved the address meanwhile, no one may have come in by this passkey.
    if (!user.emailVerified && error instanceof InvalidCheck) await rows.deleteSessions?.(user.id)
    throw error
  }
  await events.linkAccount?.({ user, account: owned, profile: user })
  return { user, isNewUser: false }
}

/** Whether an account still belongs to a user: proving the address locks everyone else out. */
async function isLinked(
  { getAccount }: Pick<Adapter, 'getAccount'>,
  { provider, providerAccountId }: AccountKey,
  user: AdapterUser,
): Promise<boolean> {
  if (!getAccount) return true
  const found = await getAccount(providerAccountId, provider)
  return String(found?.userId) === String(user.id)
}

function left(): InvalidCheck {
  return new InvalidCheck('The person who asked for the passkey is no longer signed in.')
}

function withOwner(account: AccountKey, user: AdapterUser): AdapterAccount {
  return { ...account, userId: user.id }
}
