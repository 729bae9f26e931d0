import type { RevocationKeys, RevocationView } from '../session/revocation.ts'
import { SECOND, type ViewSettings } from './revocation-settings.ts'
import type { StatusReader } from './status-reader.ts'
import type { StoreHealth } from './store-health.ts'

/** How often the store is queried about a token that is due and cannot be renewed. */
const RECHECK_AFTER = 30 * SECOND
const MAX_CACHED = 10_000

/** Checks a session in the store, if its token should be renewed and cannot be. */
export function createOverdueChecks(
  readRenewalStatus: RevocationView['renewalStatus'],
): RevocationView['isRevoked'] {
  const cached = new Map<string, { readonly checkedAt: number; readonly isRevoked: boolean }>()

  async function isRevoked(keys: RevocationKeys, time: number, age: number): Promise<boolean> {
    const name = tokenName(keys)
    const existing = cached.get(name)
    if (existing && time - existing.checkedAt < RECHECK_AFTER) return existing.isRevoked
    const status = await readRenewalStatus(keys, age)
    if (status === 'unknown') return false
    const isRevoked = status === 'revoked'
    if (cached.size >= MAX_CACHED) cached.clear()
    cached.set(name, { checkedAt: time, isRevoked })
    return isRevoked
  }

  return (keys, time, overdue) => (overdue === false ? false : isRevoked(keys, time, overdue))
}

/**
 * Reads the status of a session whose token is due, and of that age. It is `unknown` if the store does not respond and
 * the session continues nevertheless.
 */
export function createRenewalStatusReader(
  readStatus: StatusReader,
  health: Pick<StoreHealth, 'callBriefly'>,
  settings: ViewSettings,
): RevocationView['renewalStatus'] {
  return async (keys, age) => {
    if (!canContinue(settings, age)) return readStatus(keys)
    try {
      return await health.callBriefly(() => readStatus(keys))
    } catch {
      // The poll reports that the store does not respond.
      return 'unknown'
    }
  }
}

/** Whether a session whose token is due, and of that age, is accepted while the store does not respond. */
function canContinue(
  { check, whenStale, updateAge, maxStaleMilliseconds }: ViewSettings,
  age: number,
): boolean {
  // A view is checked before a session is renewed. Without one, nothing was checked since it was due.
  return check === 'always' || whenStale === 'accept' || age - updateAge <= maxStaleMilliseconds
}

/** The identity of a token. A session in a database has only the keys of its provider. */
function tokenName({ session, user, provider, claims }: RevocationKeys): string {
  const name = (session ?? user)?.text ?? `${provider.map(key => key.text)} ${claims.rk?.at}`
  return `${name} ${claims.rot ?? 0}`
}
