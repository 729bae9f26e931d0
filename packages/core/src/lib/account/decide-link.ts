import type { AdapterUser } from '../base/adapter.ts'

/** The facts about someone who comes from a provider. */
export interface LinkFacts {
  /** The user that has this account already. */
  readonly userByAccount: AdapterUser | null
  /** The user who began this in order to have the account added; null if someone wants to sign in. */
  readonly addTo: AdapterUser | null
  /** The user with the address that the provider names. */
  readonly userByEmail: AdapterUser | null
  /** Whether the provider vouches for the address. */
  readonly isEmailProven: boolean
  /** Whether the application lets an address that is vouched for decide. */
  readonly canLinkByEmail: boolean
}

/** The decision. */
export type LinkDecision =
  | { readonly do: 'signIn'; readonly user: AdapterUser }
  | { readonly do: 'link'; readonly user: AdapterUser }
  | { readonly do: 'create' }
  /** The address is this person's, and the user who holds it never proved it. */
  | { readonly do: 'claim'; readonly from: AdapterUser; readonly canTakeOver: boolean }
  | {
      readonly do: 'reject'
      readonly reason: 'account of another user' | 'address of another user'
    }

/** Decides whose account it is that someone signed in with. */
export function decideLink(facts: LinkFacts): LinkDecision {
  const { userByAccount, addTo, userByEmail, isEmailProven, canLinkByEmail } = facts
  if (userByAccount) {
    return addTo && !isSameUser(addTo, userByAccount)
      ? { do: 'reject', reason: 'account of another user' }
      : { do: 'signIn', user: userByAccount }
  }
  // Someone who asked while signed in wants the account added, whatever its address.
  if (addTo) return { do: 'link', user: addTo }
  if (!userByEmail) return { do: 'create' }
  if (!isEmailProven) return { do: 'reject', reason: 'address of another user' }
  if (!userByEmail.emailVerified) {
    return { do: 'claim', from: userByEmail, canTakeOver: canLinkByEmail }
  }
  return canLinkByEmail
    ? { do: 'link', user: userByEmail }
    : { do: 'reject', reason: 'address of another user' }
}

/** Some stores have numbers as ids, of which a token makes texts. */
export function isSameUser(
  one: Pick<AdapterUser, 'id'> | null,
  other: Pick<AdapterUser, 'id'> | null,
): boolean {
  return one !== null && other !== null && String(one.id) === String(other.id)
}
