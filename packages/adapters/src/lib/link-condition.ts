import type {
  AdapterUser,
  LinkCondition,
  RevocationCondition,
  RevocationEntry,
  RevocationLog,
} from '@siteauth/core/adapters'

/** Whether a user is as it was when linking was allowed. */
export function isUnchanged(
  current: AdapterUser | null | undefined,
  { user }: Pick<LinkCondition, 'user'>,
): boolean {
  if (!current) return false
  return (
    (current.email ?? null) === (user.email ?? null) &&
    (current.emailVerified == null) === (user.emailVerified == null)
  )
}

/** Whether one of the entries revokes a key of the condition. */
export function isRevoked(
  entries: readonly RevocationEntry[],
  { keys }: RevocationCondition,
): boolean {
  const allowed = new Map(keys.map(({ key, generation }) => [key, generation]))
  return entries.some(({ key, generation }) => {
    const own = allowed.get(key)
    return own !== undefined && (generation === null || generation > own)
  })
}

/** The part of a condition that this log can answer; null if there is none, or another log is meant. */
export function answerable(
  log: RevocationLog,
  { unrevoked }: LinkCondition,
): RevocationCondition | null {
  return unrevoked?.log === log ? unrevoked : null
}

/** The outcome for something that was stored. */
export function storedOutcome(
  { unrevoked }: LinkCondition,
  checked: RevocationCondition | null,
): 'linked' | 'unchecked' {
  return unrevoked && !checked ? 'unchecked' : 'linked'
}
