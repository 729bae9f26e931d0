import type { EventCallbacks } from '../callbacks.ts'
import { OAuthAccountNotLinked } from '../errors.ts'
import type {
  Account,
  Adapter,
  AdapterAccount,
  AdapterSession,
  AdapterUser,
  SignUp,
  User,
} from '../model.ts'
import { decideLink } from './decide-link.ts'
import { looksLeftBy, type MarkerRows, type SignUpMarkers } from './sign-up-marker.ts'

/** The methods that linking asks of an adapter, and those that it uses where they are there. */
export type AccountRows = Required<
  Pick<Adapter, 'createUser' | 'getUser' | 'getUserByEmail' | 'getUserByAccount' | 'linkAccount'>
> &
  Pick<Adapter, 'createUserWithAccount' | 'updateAccount'> &
  MarkerRows

/** Somebody who came from a provider, and what is known of the browser. */
export interface Arrival {
  /** As the provider describes the person. */
  readonly user: User
  readonly account: Account
  /** What of the account is stored. */
  readonly stored: Record<string, unknown>
  /** Whose account this is already. */
  readonly userByAccount: AdapterUser | null
  readonly currentUserId: string | null
  readonly mayLinkByEmail: boolean
  /** Whether the provider says that the address was shown to be the person's. */
  readonly isVouchedFor: boolean
  readonly markers: SignUpMarkers
  /** A session to be stored together with a new user, where sessions are stored. */
  readonly session: Omit<AdapterSession, 'userId'> | null
}

/** Whose account it is now. */
export interface Linked {
  readonly user: AdapterUser
  readonly isNewUser: boolean
  /** The session, if it was stored together with the user. */
  readonly session?: AdapterSession | null
}

/** Finds or makes the user of an account, and links the two. */
export async function applyLink(
  rows: AccountRows,
  events: Partial<EventCallbacks>,
  arrival: Arrival,
): Promise<Linked> {
  const { user: profile, userByAccount, currentUserId, mayLinkByEmail } = arrival
  const currentUser = currentUserId === null ? null : await rows.getUser(currentUserId)
  // Asked for only where it can matter.
  const asksForEmail = !userByAccount && !currentUser && profile.email
  const userByEmail = asksForEmail ? await rows.getUserByEmail(asksForEmail) : null
  const decision = decideLink({ userByAccount, currentUser, userByEmail, mayLinkByEmail })
  switch (decision.do) {
    case 'signIn':
      await rows.updateAccount?.({ ...arrival.stored, ...identityOf(arrival.account) })
      return { user: decision.user, isNewUser: false }
    case 'refuse': {
      // The same person may have signed up since the account was looked for.
      const since = userByAccount ? null : await findByAccount(rows, arrival)
      if (since) return { user: since, isNewUser: false }
      // Or be here once more, after a sign-up that came to half of its end.
      if (userByEmail && (await wasInterrupted(rows, userByEmail, arrival))) {
        await link(rows, events, userByEmail, arrival)
        return { user: userByEmail, isNewUser: true }
      }
      throw new OAuthAccountNotLinked(
        decision.why === 'account of another user'
          ? 'The account is linked to another user than the one who is signed in.'
          : 'Another user has this address. Sign in as that user first, then add the account.',
        { provider: arrival.account.provider },
      )
    }
    case 'link':
      await link(rows, events, decision.user, arrival)
      return { user: decision.user, isNewUser: false }
    case 'create':
      return create(rows, events, arrival)
  }
}

async function create(
  rows: AccountRows,
  events: Partial<EventCallbacks>,
  arrival: Arrival,
): Promise<Linked> {
  const { user: profile, account, stored, session } = arrival
  const newUser = {
    ...profile,
    id: crypto.randomUUID(),
    email: profile.email as string, // absent where the provider names none, as stores allow
    emailVerified: null,
  }
  if (!rows.createUserWithAccount) {
    // Where an address decides, or there is none, the sign-up can be repeated without a marker.
    const isMarked = Boolean(profile.email) && !arrival.mayLinkByEmail
    if (isMarked) await arrival.markers.place(rows, arrival)
    const user = await rows.createUser(newUser)
    await events.createUser?.({ user })
    await link(rows, events, user, arrival)
    if (isMarked) await arrival.markers.take(rows, arrival)
    return { user, isNewUser: true }
  }
  const signUp = { user: newUser, account: { ...stored, ...identityOf(account) } } as SignUp // no credentials come here
  const made = await rows.createUserWithAccount(session ? { ...signUp, session } : signUp)
  if (!made) return findInstead(rows, events, arrival)
  await events.createUser?.({ user: made.user })
  await events.linkAccount?.({ user: made.user, account: made.account, profile })
  return { user: made.user, isNewUser: true, session: made.session }
}

/** The same person has signed up a moment before, in another tab or by a double click. */
async function findInstead(
  rows: AccountRows,
  events: Partial<EventCallbacks>,
  arrival: Arrival,
): Promise<Linked> {
  const userByAccount = await findByAccount(rows, arrival)
  // Without one it is the address that is taken, and the decision will say so.
  const { createUserWithAccount: _, ...others } = rows
  return applyLink(others, events, { ...arrival, userByAccount })
}

async function wasInterrupted(rows: AccountRows, user: AdapterUser, arrival: Arrival) {
  return (
    looksLeftBy(user, arrival, arrival.isVouchedFor) && (await arrival.markers.take(rows, arrival))
  )
}

async function findByAccount(
  rows: AccountRows,
  { account: { provider, providerAccountId } }: Arrival,
): Promise<AdapterUser | null> {
  return rows.getUserByAccount({ provider, providerAccountId })
}

async function link(
  rows: AccountRows,
  events: Partial<EventCallbacks>,
  user: AdapterUser,
  { user: profile, account, stored }: Arrival,
): Promise<void> {
  const row = { ...stored, ...identityOf(account), userId: user.id } as AdapterAccount // no credentials come here
  await rows.linkAccount(row)
  await events.linkAccount?.({ user, account: row, profile })
}

function identityOf({ provider, providerAccountId, type }: Account) {
  return { provider, providerAccountId, type: type as AdapterAccount['type'] } // no credentials come here
}
