import type { Adapter, AdapterUser, NewSignUp } from '../base/adapter.ts'
import type { EventCallbacks } from '../base/callbacks.ts'
import { uuidFrom } from '../crypto/random.ts'
import { releaseLookAlike } from './claim-address.ts'
import { findByAddress } from './find-by-address.ts'
import type { AccountMethods, Linked, ProviderSignIn } from './provider-sign-in.ts'
import { identityOf, linkAccount, removeGhost } from './store-account.ts'

/** Makes a user with an account. Null if the store has changed meanwhile: someone was quicker. */
export async function createUser(
  rows: AccountMethods,
  events: Partial<EventCallbacks>,
  signIn: ProviderSignIn,
): Promise<Linked | null> {
  const { user: profile, account, stored, session } = signIn
  const emailVerified = signIn.isEmailProven && profile.email ? new Date(signIn.now()) : null
  const newUser = {
    ...profile,
    id: uuidFrom(signIn.randomHex(16)),
    email: profile.email as string, // absent where the provider names none, as stores allow
    emailVerified,
  }
  if (!rows.createUserWithAccount) return createInSteps(rows, events, newUser, signIn)
  const signUp = { user: newUser, account: { ...stored, ...identityOf(account) } } as NewSignUp // no credentials come here
  const made = await rows.createUserWithAccount(session ? { ...signUp, session } : signUp)
  if (!made) {
    await removeGhost(rows, signIn)
    if (emailVerified) await releaseLookAlike(rows, events, { ...signIn, address: newUser.email })
    return null
  }
  await events.createUser?.({ user: made.user })
  await events.linkAccount?.({ user: made.user, account: made.account, profile })
  return { user: made.user, isNewUser: true, session: made.session }
}

/** As Auth.js does it, but so that it can be taken up again after each step. */
async function createInSteps(
  rows: AccountMethods,
  events: Partial<EventCallbacks>,
  newUser: AdapterUser,
  signIn: ProviderSignIn,
): Promise<Linked | null> {
  const { account, markers, user: profile } = signIn
  // Until the account is stored, nothing about this user is proved.
  const isProvedLater = newUser.emailVerified !== null && rows.updateUser !== undefined
  const first = isProvedLater ? { ...newUser, emailVerified: null } : newUser
  const user = await orNullIf(
    () => rows.createUser(first),
    async () =>
      Boolean(profile.email && (await findByAddress(rows, profile.email))) ||
      (newUser.emailVerified !== null &&
        releaseLookAlike(rows, events, { ...signIn, address: newUser.email })),
  )
  if (!user) return null
  await events.createUser?.({ user })
  const signUp = { account, userId: user.id }
  await markers.place(rows, signUp)
  let isLinked = false
  try {
    isLinked = await linkAccount(rows, events, user, signIn)
  } finally {
    if (!isLinked) await discard(rows, user)
  }
  // The account went to the same person in another tab.
  if (!isLinked) return null
  const proved = isProvedLater
    ? await rows.updateUser?.({ id: user.id, emailVerified: newUser.emailVerified })
    : user
  await markers.take(rows, signUp)
  return { user: { ...user, ...proved }, isNewUser: true }
}

/** A user without an account is useless. One that someone has moved into since is left alone. */
export async function discard(
  rows: Pick<Adapter, 'getUser' | 'deleteUser'>,
  { id }: AdapterUser,
): Promise<void> {
  try {
    const user = rows.deleteUser && (await rows.getUser?.(id))
    if (user && !user.emailVerified) await rows.deleteUser?.(id)
  } catch {
    // It can be resumed through its marker, and gives way to anyone who proves the address.
  }
}

/** Null if something failed because of the state that the query describes; any other failure is thrown. */
async function orNullIf<T>(
  act: () => T | PromiseLike<T>,
  isExplained: () => Promise<boolean>,
): Promise<T | null> {
  try {
    return await act()
  } catch (error) {
    if (await isExplained()) return null
    throw error
  }
}
