import type { AdapterUser } from '../base/adapter.ts'
import type { EventCallbacks } from '../base/callbacks.ts'
import { isSameAddress } from '../base/email-address.ts'
import { InvalidCheck, OAuthAccountNotLinked } from '../base/errors.ts'
import { claimAddress } from './claim-address.ts'
import { createUser } from './create-user.ts'
import { decideLink } from './decide-link.ts'
import { findByAddress } from './find-by-address.ts'
import type { AccountMethods, Linked, ProviderSignIn } from './provider-sign-in.ts'
import {
  findUserByAccount,
  identityOf,
  isOnlySignInMethod,
  NO_TOKENS,
  storeAccount,
} from './store-account.ts'

/** How often it is decided again because someone else, or another tab, was quicker. */
const ATTEMPTS = 4

/** Finds or makes the user of an account, and links the two. */
export async function applyLink(
  rows: AccountMethods,
  events: Partial<EventCallbacks>,
  signIn: ProviderSignIn,
): Promise<Linked> {
  let found = signIn.userByAccount
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const linked = await tryToLink(rows, events, { ...signIn, userByAccount: found })
    if (linked) return linked
    found = await findUserByAccount(rows, signIn.account, signIn.issuer)
  }
  throw rejection('address of another user', signIn)
}

/** Null if the store has changed meanwhile, so that it has to be decided again. */
async function tryToLink(
  rows: AccountMethods,
  events: Partial<EventCallbacks>,
  signIn: ProviderSignIn,
): Promise<Linked | null> {
  const { user: profile, userByAccount, addTo, isEmailProven, canLinkByEmail } = signIn
  // Asked for only where it can matter.
  const address = !userByAccount && !addTo && profile.email
  const userByEmail = address ? await findByAddress(rows, address) : null
  const decision = decideLink({ userByAccount, addTo, userByEmail, isEmailProven, canLinkByEmail })
  switch (decision.do) {
    case 'signIn':
      await storeTokens(rows, decision.user, signIn)
      return { user: await withProof(rows, events, decision.user, signIn), isNewUser: false }
    case 'link':
      return addTo ? add(rows, events, addTo, signIn) : join(rows, events, decision.user, signIn)
    case 'create':
      return createUser(rows, events, signIn)
    case 'claim': {
      // It may be the person's own sign-up that came to half of its end.
      if (await resume(rows, events, decision.from, signIn)) return signedUp(decision.from)
      const claim = { earlier: decision.from, address: profile.email ?? '' }
      const user = await claimAddress(rows, events, { ...signIn, ...claim, ...decision })
      if (!user) return createUser(rows, events, signIn)
      return join(rows, events, user, signIn)
    }
    case 'reject': {
      // The same person may have signed up since the account was looked for.
      const since = userByAccount
        ? null
        : await findUserByAccount(rows, signIn.account, signIn.issuer)
      if (since) return asExistingUser(since)
      const isOpen = userByEmail && !userByEmail.emailVerified
      if (isOpen && (await resume(rows, events, userByEmail, signIn))) return signedUp(userByEmail)
      throw rejection(decision.reason, signIn)
    }
  }
}

/**
 * Stores the tokens of an account that is linked. If all sessions of the user are revoked meanwhile, no token stays: they
 * belong to a sign-in that ends.
 */
async function storeTokens(
  rows: AccountMethods,
  user: AdapterUser,
  signIn: ProviderSignIn,
): Promise<void> {
  const { updateAccount } = rows
  if (!updateAccount) return
  const key = identityOf(signIn.account)
  await signIn.requireUnrevoked(user.id)
  await updateAccount({ ...newTokens(signIn), ...key })
  try {
    await signIn.requireUnrevoked(user.id)
  } catch (error) {
    await updateAccount({ ...NO_TOKENS, ...key })
    throw error
  }
}

/** The lifetime of the earlier access token does not apply to this one. Null empties the column. */
function newTokens({ stored }: ProviderSignIn): ProviderSignIn['stored'] {
  return stored['access_token'] === undefined ? stored : { expires_at: null, ...stored }
}

function asExistingUser(user: AdapterUser): Linked {
  return { user, isNewUser: false }
}

function signedUp(user: AdapterUser): Linked {
  return { user, isNewUser: true }
}

function rejection(
  reason: 'account of another user' | 'address of another user',
  { account: { provider } }: ProviderSignIn,
): OAuthAccountNotLinked {
  return new OAuthAccountNotLinked(
    reason === 'account of another user'
      ? 'The account is linked to a different user from the one who is signed in.'
      : 'Another user has this address. Sign in as that user first, then add the account.',
    { provider },
  )
}

/**
 * Links an account because of its address, or because its sign-up made the user. Null if the account belongs to someone else by now,
 * or the user has changed. If all sessions of the user are revoked meanwhile, the account is not linked.
 */
async function join(
  rows: AccountMethods,
  events: Partial<EventCallbacks>,
  user: AdapterUser,
  signIn: ProviderSignIn,
): Promise<Linked | null> {
  const row = await storeAccount(rows, user, signIn, {
    require: () => signIn.requireUnrevoked(user.id),
    endsSessions: false,
  })
  if (!row || row === 'changed') return null
  // Another request of the same person has linked it.
  if (row === 'existing') return asExistingUser(user)
  await events.linkAccount?.({ user, account: row, profile: signIn.user })
  return asExistingUser(user)
}

/** Adds an account to the person who started this, unless they have left meanwhile. */
async function add(
  rows: AccountMethods,
  events: Partial<EventCallbacks>,
  user: AdapterUser,
  signIn: ProviderSignIn,
): Promise<Linked | null> {
  const { provider } = signIn.account
  const row = await storeAccount(rows, user, signIn, {
    async require() {
      // The provider may have taken its time.
      const session = await signIn.findSession()
      if (!session) throw left(provider)
      return session
    },
    endsSessions: true,
  })
  if (row === 'changed') throw left(provider)
  if (!row) return null
  // Another tab of the same person has added it.
  if (row === 'existing') return asExistingUser(user)
  await events.linkAccount?.({ user, account: row, profile: signIn.user })
  return asExistingUser(user)
}

function left(provider: string): InvalidCheck {
  return new InvalidCheck('The person who started this is no longer signed in.', { provider })
}

/**
 * Continues a sign-up that ended before its account was linked, in the row it created. If all sessions of the user are revoked
 * meanwhile, the account is not linked, and the sign-up can be continued later.
 */
async function resume(
  rows: AccountMethods,
  events: Partial<EventCallbacks>,
  user: AdapterUser,
  signIn: ProviderSignIn,
): Promise<boolean> {
  const { account, markers } = signIn
  const signUp = { account, userId: user.id }
  if (!(await markers.take(rows, signUp))) return false
  try {
    return (await join(rows, events, user, signIn)) !== null
  } catch (error) {
    await markers.place(rows, signUp)
    throw error
  }
}

/**
 * Someone who came from a vouching provider has proved their user's address, if no one is in that user without proof: the account is the
 * only way in, and all earlier sessions end. Auth.js rows do not record that.
 */
async function withProof(
  rows: AccountMethods,
  events: Partial<EventCallbacks>,
  user: AdapterUser,
  signIn: ProviderSignIn,
): Promise<AdapterUser> {
  const { isEmailProven, addTo, user: profile } = signIn
  if (!isEmailProven || user.emailVerified || !isSameAddress(user.email, profile.email)) return user
  // The session that this was started in would end, and with it what was asked for.
  if (addTo || (await signIn.hasOwnSignInMethods(user))) return user
  const proved = rows.claimUser
    ? await proveAtOnce(rows, rows.claimUser, user, signIn)
    : await proveInSteps(rows, user, signIn)
  if (!proved) return user
  await events.updateUser?.({ user: proved })
  return { ...user, ...proved }
}

/** Null if the account is not alone in its user. */
async function proveAtOnce(
  { deleteSessions }: AccountMethods,
  claimUser: NonNullable<AccountMethods['claimUser']>,
  user: AdapterUser,
  { account: { provider, providerAccountId }, now }: ProviderSignIn,
): Promise<AdapterUser | null> {
  const claim = { user, account: { provider, providerAccountId } }
  // Asked first: sessions end only if the address is proved. They end before that, so that it does not matter when this is interrupted.
  if (!(await claimUser({ ...claim, emailVerified: null }))) return null
  await deleteSessions?.(user.id)
  return (await claimUser({ ...claim, emailVerified: new Date(now()) }))?.user ?? null
}

/** The same for adapters that have no `claimUser`. */
async function proveInSteps(
  rows: AccountMethods,
  user: AdapterUser,
  { account, canLinkByEmail, now }: ProviderSignIn,
): Promise<AdapterUser | null> {
  // Where accounts cannot be listed, one that no address could link came with the user, or was added by them.
  const isAlone = rows.listAccounts
    ? await isOnlySignInMethod(rows, user, account)
    : !canLinkByEmail
  if (!isAlone || !rows.updateUser) return null
  await rows.deleteSessions?.(user.id)
  const emailVerified = new Date(now())
  return rows.updateUser({ id: user.id, emailVerified }, { whileUnproved: true })
}
