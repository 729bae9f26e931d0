import type { EventCallbacks } from '../callbacks.ts'
import { OAuthAccountNotLinked } from '../errors.ts'
import type { Account, Adapter, AdapterAccount, AdapterUser, User } from '../model.ts'
import { decideLink } from './decide-link.ts'

/** The methods that linking asks of an adapter. */
export type AccountRows = Required<
  Pick<Adapter, 'createUser' | 'getUser' | 'getUserByEmail' | 'linkAccount'>
>

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
}

/** Whose account it is now. */
export interface Linked {
  readonly user: AdapterUser
  readonly isNewUser: boolean
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
      return { user: decision.user, isNewUser: false }
    case 'refuse':
      throw new OAuthAccountNotLinked(
        decision.why === 'account of another user'
          ? 'The account is linked to another user than the one who is signed in.'
          : 'Another user has this address. Sign in as that user first, then add the account.',
        { provider: arrival.account.provider },
      )
    case 'link':
      await link(rows, events, decision.user, arrival)
      return { user: decision.user, isNewUser: false }
    case 'create': {
      const user = await rows.createUser({
        ...profile,
        id: crypto.randomUUID(),
        email: profile.email as string, // absent where the provider names none, as stores allow
        emailVerified: null,
      })
      await events.createUser?.({ user })
      await link(rows, events, user, arrival)
      return { user, isNewUser: true }
    }
  }
}

async function link(
  rows: AccountRows,
  events: Partial<EventCallbacks>,
  user: AdapterUser,
  { user: profile, account, stored }: Arrival,
): Promise<void> {
  const { provider, providerAccountId, type } = account
  const row = { ...stored, provider, providerAccountId, type, userId: user.id } as AdapterAccount // no credentials come here
  await rows.linkAccount(row)
  await events.linkAccount?.({ user, account: row, profile })
}
