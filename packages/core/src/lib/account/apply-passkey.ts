import type {
  Adapter,
  AdapterAccount,
  AdapterUser,
  Authenticator,
  SessionCondition,
} from '../base/adapter.ts'
import type { EventCallbacks } from '../base/callbacks.ts'
import { AccountNotLinked, InvalidCheck } from '../base/errors.ts'
import { uuidFrom } from '../crypto/random.ts'
import { discard } from './create-user.ts'
import { findByAddress } from './find-by-address.ts'
import type { Linked } from './provider-sign-in.ts'
import { type NewLink, NO_PERMISSION_NEEDED, storeLink } from './store-link.ts'

/** The methods that a new passkey asks of an adapter, and those that it uses where they are there. */
export type PasskeyMethods = Required<
  Pick<Adapter, 'createUser' | 'getUserByEmail' | 'linkAccount' | 'createAuthenticator'>
> &
  Pick<
    Adapter,
    | 'createUserWithAccount'
    | 'linkAccountIf'
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
  /** That user’s session in this browser at this moment, as a store can check it; null if the user is no longer signed in. */
  readonly findSession: () => Promise<SessionCondition | null>
  /** The user who signs up with it. */
  readonly signUp: { readonly email: string; readonly name: string | null } | null
  readonly randomHex: (bytes: number) => string
}

/** Stores a new passkey, for the person who asked for it while signed in or for someone signing up. */
export async function applyPasskey(
  rows: PasskeyMethods,
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
  rows: PasskeyMethods,
  events: Partial<EventCallbacks>,
  passkey: NewPasskey,
  { email, name }: { readonly email: string; readonly name: string | null },
): Promise<Linked> {
  const { account, randomHex } = passkey
  const profile = { email, ...(name !== null && { name }) }
  const newUser = { ...profile, id: uuidFrom(randomHex(16)), emailVerified: null }
  const user = rows.linkAccountIf
    ? await createAndLink(rows, passkey, newUser)
    : await createAndCheck(rows, passkey, newUser)
  await events.createUser?.({ user })
  await events.linkAccount?.({ user, account: withOwner(account, user), profile })
  return { user, isNewUser: true }
}

/** Nobody can sign in as the user before account and passkey are stored, which happens together. */
async function createAndLink(
  rows: PasskeyMethods,
  { account, authenticator }: NewPasskey,
  newUser: AdapterUser,
): Promise<AdapterUser> {
  const user = await createUser(rows, newUser)
  try {
    const link = toLink(user, account, authenticator)
    const outcome = await storeLink(rows, user, link, NO_PERMISSION_NEEDED)
    if (outcome === 'taken') throw new AccountNotLinked('This passkey is already registered.')
    if (outcome === 'changed') throw proved()
  } catch (error) {
    await discard(rows, user)
    throw error
  }
  return user
}

async function createUser(rows: PasskeyMethods, newUser: AdapterUser): Promise<AdapterUser> {
  try {
    return await rows.createUser(newUser)
  } catch (error) {
    if (await findByAddress(rows, newUser.email)) throw addressTaken()
    throw error
  }
}

/** For adapters that have no `linkAccountIf`. */
async function createAndCheck(
  rows: PasskeyMethods,
  { account, authenticator }: NewPasskey,
  newUser: AdapterUser,
): Promise<AdapterUser> {
  const made = rows.createUserWithAccount
    ? await rows.createUserWithAccount({ user: newUser, account })
    : { user: await rows.createUser(newUser) }
  if (!made) throw addressTaken()
  const { user } = made
  try {
    if (!rows.createUserWithAccount) await rows.linkAccount(withOwner(account, user))
    await rows.createAuthenticator({ ...authenticator, userId: user.id })
    if (!(await isLinked(rows, account, user))) {
      const { credentialID } = authenticator
      await rows.deleteAuthenticator?.({ userId: user.id, credentialID })
      throw proved()
    }
  } catch (error) {
    await discard(rows, user)
    throw error
  }
  return user
}

async function add(
  rows: PasskeyMethods,
  events: Partial<EventCallbacks>,
  { account, authenticator, findSession }: NewPasskey,
  user: AdapterUser,
): Promise<Linked> {
  const link = toLink(user, account, authenticator)
  const outcome = await storeLink(rows, user, link, {
    require: async () => (await findSession()) ?? reject(left()),
    endsSessions: true,
  })
  if (outcome === 'taken') throw new AccountNotLinked('This passkey is already registered.')
  if (outcome === 'changed') throw left()
  await events.linkAccount?.({ user, account: link.account, profile: user })
  return { user, isNewUser: false }
}

function toLink(
  user: AdapterUser,
  account: AccountKey,
  authenticator: NewPasskey['authenticator'],
): Required<NewLink> {
  return {
    account: withOwner(account, user),
    authenticator: { ...authenticator, userId: user.id },
  }
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

function reject(error: Error): never {
  throw error
}

function addressTaken(): AccountNotLinked {
  return new AccountNotLinked('Someone has just signed up with this address.')
}

function proved(): InvalidCheck {
  return new InvalidCheck('Someone proved the address while someone else was signing up with it.')
}

function left(): InvalidCheck {
  return new InvalidCheck('The person who asked for the passkey is no longer signed in.')
}

function withOwner(account: AccountKey, user: AdapterUser): AdapterAccount {
  return { ...account, userId: user.id }
}
