import type { AdapterAccount } from '../base/adapter.ts'
import { OAuthAccountNotLinked } from '../base/errors.ts'
import { isSameIssuer } from '../base/same-issuer.ts'

/** The issuer of an account that someone signs in with, and whether stored accounts can be distinguished by it. */
export interface AccountIssuer {
  /** As the id_token names it, or as it is configured; undefined if the provider has none. */
  readonly issuer: string | undefined
  /** Whether the store has a column for it. */
  readonly isStored: boolean
  /** Whether other configurations with the same store use the id of the provider for other issuers. */
  readonly isIdShared: () => boolean
}

/**
 * Throws if a stored account is not known to be of this issuer: subject 7 of one issuer is not
 * subject 7 of another. A row without an issuer is of this one if no other issuer is configured.
 */
export function requireIssuer(
  { provider, issuer: stored }: Pick<AdapterAccount, 'provider' | 'issuer'>,
  { issuer, isIdShared }: AccountIssuer,
): void {
  if (stored ? isSameIssuer(stored, issuer ?? '') : !isIdShared()) return
  throw new OAuthAccountNotLinked(
    stored
      ? `The account is stored as one of ${stored}, and ${issuer ?? 'a provider without an issuer'} has signed the person in. ` +
          'Give each issuer its own provider id. If the issuer has changed its name, change the column issuer of its accounts.'
      : 'The account is stored without its issuer, and several issuers share the id of the provider. Give each issuer ' +
          'its own provider id, or fill in the column issuer of the accounts that are stored.',
    { provider },
  )
}

/** The columns of an account that its issuer fills. */
export function toIssuerColumns({ issuer, isStored }: AccountIssuer): { readonly issuer?: string } {
  return isStored && issuer !== undefined ? { issuer } : {}
}
