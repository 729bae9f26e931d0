import type { AdapterAccount } from '@siteauth/core/adapters'

/** Copies a record, so that a caller who changes it does not change what is stored. */
export function copyRecord<T extends object>(record: T | null | undefined): T | null {
  return record ? { ...record } : null
}

/** The members to change: undefined ones are kept as they are. */
export function definedMembers<T extends object>(changes: T): Partial<T> {
  const entries = Object.entries(changes).filter(([, member]) => member !== undefined)
  // Sound: some of the members of the same object.
  return Object.fromEntries(entries) as Partial<T>
}

/** Copies an account without the members that were emptied. */
export function copyAccount(account: AdapterAccount): AdapterAccount {
  const entries = Object.entries(account).filter(([, member]) => member !== null)
  // Sound: required members are never null.
  return Object.fromEntries(entries) as unknown as AdapterAccount
}
