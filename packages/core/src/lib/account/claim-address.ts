import type { Adapter, AdapterUser } from '../base/adapter.ts'
import type { EmailClaim, EventCallbacks } from '../base/callbacks.ts'
import { isSameAddress } from '../base/email-address.ts'
import { CallbackRouteError } from '../base/errors.ts'
import { uuidFrom } from '../crypto/random.ts'

/** The methods needed to make room for the person who proves an address. */
export type ClaimMethods = Required<Pick<Adapter, 'getUserByEmail'>> &
  Pick<
    Adapter,
    | 'updateUser'
    | 'claimUser'
    | 'listAccounts'
    | 'unlinkAccount'
    | 'deleteSessions'
    | 'createUserWithAccount'
    | 'createAuthenticator'
    | 'listAuthenticatorsByUserId'
    | 'deleteAuthenticator'
    | 'passwords'
  >

/** Someone who has just proved an address that a user held unproved. */
export interface AddressClaim {
  readonly earlier: AdapterUser
  readonly address: string
  /** Whether the person who proves the address may have the row that holds it. */
  readonly canTakeOver: boolean
  readonly now: () => number
  readonly randomHex: (bytes: number) => string
}

/**
 * Frees an address for the person who proved it. The earlier user with this address may be the same person, or an
 * attacker who signed up with it and waits for its owner to move in: so everyone is locked out of the row before the
 * owner gets it. If that is not possible, the row gives up the address, and the owner gets a new row.
 *
 * Returns the row for the owner; null if they get a new one, or somebody has proved the address meanwhile. Throws if
 * neither is possible.
 */
export async function claimAddress(
  rows: ClaimMethods,
  events: Partial<EventCallbacks>,
  claim: AddressClaim,
): Promise<AdapterUser | null> {
  const { earlier, address: email, canTakeOver } = claim
  const methods = canTakeOver ? methodsOf(rows) : null
  if (!methods) {
    if (await releaseAddress(rows, claim)) {
      await events.emailClaimed?.({ ...nobody, email, earlierUser: earlier, outcome: 'released' })
    }
    return null
  }
  const tell = (removed: Removed) =>
    events.emailClaimed?.({ ...removed, email, earlierUser: earlier, outcome: 'emptied' })
  return methods.claimUser
    ? claimAtOnce(methods, methods.claimUser, claim, tell)
    : claimInSteps(methods, claim, tell)
}

/**
 * Some stores treat two spellings as one address, and so lock out the owner of one because of the
 * other. An unproved one gives way. Returns whether there was one.
 */
export async function releaseLookAlike(
  rows: ClaimMethods,
  events: Partial<EventCallbacks>,
  { address: email, randomHex }: Pick<AddressClaim, 'address' | 'randomHex'>,
): Promise<boolean> {
  const other = await rows.getUserByEmail(email)
  if (!other || other.emailVerified || isSameAddress(other.email, email)) return false
  if (!(await releaseAddress(rows, { earlier: other, address: email, randomHex }))) return false
  await events.emailClaimed?.({ ...nobody, email, earlierUser: other, outcome: 'released' })
  return true
}

/** Whether a store can put everyone out of a user, so that the owner of the address may have the row. */
export function canTakeOver(rows: ClaimMethods): boolean {
  return methodsOf(rows) !== null
}

type Removed = Pick<EmailClaim, 'accounts' | 'passkeys' | 'sessions'>

const nobody: Removed = { accounts: [], passkeys: [], sessions: 0 }

/** How often a store is asked before it is given up: each time someone came in meanwhile. */
const ROUNDS = 10

/** The methods that put everyone out of a user. */
type CompleteClaimMethods = Required<
  Pick<ClaimMethods, 'updateUser' | 'listAccounts' | 'unlinkAccount' | 'deleteSessions'>
> &
  ClaimMethods

/** Null if a store lacks a method that puts everyone out of a user. */
function methodsOf(rows: ClaimMethods): CompleteClaimMethods | null {
  const { updateUser, listAccounts, unlinkAccount, deleteSessions, createUserWithAccount } = rows
  const { createAuthenticator, listAuthenticatorsByUserId, deleteAuthenticator } = rows
  if (!updateUser || !listAccounts || !unlinkAccount || !deleteSessions) return null
  // One that makes users step by step could link to one that was emptied in between.
  if (!createUserWithAccount) return null
  if (createAuthenticator && !(listAuthenticatorsByUserId && deleteAuthenticator)) return null
  return { ...rows, updateUser, listAccounts, unlinkAccount, deleteSessions }
}

/**
 * Whatever is attached to the user when the address is marked as proved prevents that: it is removed, and what it may have led to ends,
 * before the store is asked again. So it does not matter when this is interrupted.
 */
async function claimAtOnce(
  { deleteSessions }: CompleteClaimMethods,
  claimUser: NonNullable<Adapter['claimUser']>,
  { earlier, now }: AddressClaim,
  tell: (removed: Removed) => unknown,
): Promise<AdapterUser | null> {
  const removed = await claimUser({ user: earlier, emailVerified: null })
  if (!removed) return null
  const { accounts, passkeys } = removed
  const sessions = removed.sessions + (await deleteSessions(earlier.id))
  await tell({ accounts, passkeys, sessions })
  for (let round = 0; round < ROUNDS; round++) {
    // By now the application has taken its own passwords away, which let people in until then.
    await deleteSessions(earlier.id)
    const claimed = await claimUser({ user: earlier, emailVerified: new Date(now()) })
    if (!claimed) return null
    if (!claimed.user) continue
    // Sessions may be in another store than users, and somebody may have signed in by a password of the application.
    await deleteSessions(earlier.id)
    return claimed.user
  }
  throw tooMany()
}

/** For adapters that have no `claimUser`. What remains if the process ends in between: docs/decisions/067. */
async function claimInSteps(
  methods: CompleteClaimMethods,
  { earlier, now }: AddressClaim,
  tell: (removed: Removed) => unknown,
): Promise<AdapterUser> {
  await tell(await empty(methods, earlier.id))
  await empty(methods, earlier.id)
  const user = await methods.updateUser({ id: earlier.id, emailVerified: new Date(now()) })
  // Anyone who saw the user unproved up to now checks again after this.
  await empty(methods, earlier.id)
  return user
}

/** Puts everyone out of a user. */
async function empty(methods: CompleteClaimMethods, userId: string): Promise<Removed> {
  const { listAccounts, unlinkAccount, deleteSessions } = methods
  const { listAuthenticatorsByUserId, deleteAuthenticator, passwords } = methods
  const accounts: Removed['accounts'][number][] = []
  const passkeys: Removed['passkeys'][number][] = []
  let sessions = 0
  // Sessions first, then what creates new ones, until nothing is found: anyone who signs in or
  // adds an account at this very moment checks afterwards whether that is still valid.
  for (let round = 0; round < ROUNDS; round++) {
    sessions += await deleteSessions(userId)
    const hadPassword = (await passwords?.remove(userId)) ?? false
    const linked = await listAccounts(userId)
    const keys = (await listAuthenticatorsByUserId?.(userId)) ?? []
    const isEmpty = linked.length === 0 && keys.length === 0 && !hadPassword
    if (isEmpty) return { accounts, passkeys, sessions }
    for (const { provider, providerAccountId, type } of linked) {
      await unlinkAccount({ provider, providerAccountId }, { userId })
      accounts.push({ provider, providerAccountId, type })
    }
    for (const { credentialID } of keys) {
      await deleteAuthenticator?.({ userId, credentialID })
      passkeys.push({ credentialID })
    }
  }
  throw tooMany()
}

function tooMany(): CallbackRouteError {
  return new CallbackRouteError('Someone keeps signing in to the user whose address was proved.')
}

/** An address without an owner: RFC 2606 §2 keeps the domain free permanently. */
function noAddress(randomHex: AddressClaim['randomHex']): string {
  return `${uuidFrom(randomHex(16))}@released.invalid`
}

/** Returns false if the user keeps the address, since somebody has proved it meanwhile. */
async function releaseAddress(
  rows: ClaimMethods,
  { earlier, address, randomHex }: Pick<AddressClaim, 'earlier' | 'address' | 'randomHex'>,
): Promise<boolean> {
  const { updateUser } = rows
  if (!updateUser) {
    throw new CallbackRouteError(
      'The address belongs to a user who never proved it, and the adapter has no updateUser to change that.',
    )
  }
  const release = (email: string | null) =>
    updateUser({ id: earlier.id, email: email as string }, { whileUnproved: true }) // null, as stores allow
  try {
    await release(null)
  } catch {
    // There are tables in which everybody must have one.
  }
  const findHolder = () => findHolderOf(rows, earlier, address)
  if (await findHolder()) await release(noAddress(randomHex)) // null may also mean "leave it"
  const holder = await findHolder()
  if (!holder) return true
  if (holder.emailVerified) return false
  throw new CallbackRouteError(
    "The address belongs to a user who never proved it, and the adapter's updateUser did not change that.",
  )
}

/** The user as stored, as long as an address is theirs. Some stores keep finding a user by one that it no longer has. */
async function findHolderOf(
  rows: ClaimMethods,
  earlier: AdapterUser,
  address: string,
): Promise<AdapterUser | null> {
  const found = await rows.getUserByEmail(address)
  return found?.id === earlier.id && isSameAddress(found.email, earlier.email) ? found : null
}
