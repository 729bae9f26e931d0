import type { AdapterUser } from '../model.ts'

/** What is known when somebody comes from a provider. */
export interface LinkFacts {
  /** Whose account this is already. */
  readonly userByAccount: AdapterUser | null
  /** Who is signed in in this browser. */
  readonly currentUser: AdapterUser | null
  /** Who has the address that the provider names. */
  readonly userByEmail: AdapterUser | null
  /** Whether the application lets an address alone decide, and the provider vouches for it. */
  readonly mayLinkByEmail: boolean
}

/** What is to be done. */
export type LinkDecision =
  | { readonly do: 'signIn'; readonly user: AdapterUser }
  | { readonly do: 'link'; readonly user: AdapterUser }
  | { readonly do: 'create' }
  | { readonly do: 'refuse'; readonly why: 'account of another user' | 'address of another user' }

/** Decides whose account it is that somebody signed in with. */
export function decideLink(facts: LinkFacts): LinkDecision {
  const { userByAccount, currentUser, userByEmail, mayLinkByEmail } = facts
  if (userByAccount) {
    return currentUser && currentUser.id !== userByAccount.id
      ? { do: 'refuse', why: 'account of another user' }
      : { do: 'signIn', user: userByAccount }
  }
  // Whoever is signed in and goes to a provider wants its account added, whatever address it has.
  if (currentUser) return { do: 'link', user: currentUser }
  if (!userByEmail) return { do: 'create' }
  return mayLinkByEmail
    ? { do: 'link', user: userByEmail }
    : { do: 'refuse', why: 'address of another user' }
}
