import type { RevocationLog } from '../base/stores.ts'
import type { ListedMarks } from '../session/revocation.ts'
import { providerKeys } from './revocation-keys.ts'
import { isEarlier } from './revoked-keys.ts'

/** The listed sessions that were revoked, according to the store. */
export async function findRevoked<Listed extends ListedMarks>(
  log: Pick<RevocationLog, 'find'>,
  listed: readonly Listed[],
): Promise<ReadonlySet<Listed>> {
  const keys = new Set(
    listed.flatMap(session => [...(session.key ? [session.key] : []), ...keysOfProvider(session)]),
  )
  const found = keys.size === 0 ? [] : await log.find([...keys])
  const generations = new Map(found.map(({ key, generation }) => [key, generation]))
  const isRevoked = (session: Listed) =>
    (session.key !== undefined &&
      generations.has(session.key) &&
      generations.get(session.key) == null) ||
    keysOfProvider(session).some(
      key => generations.has(key) && isEarlier(session, generations.get(key) ?? null),
    )
  return new Set(listed.filter(isRevoked))
}

function keysOfProvider({ rk }: ListedMarks): readonly string[] {
  return providerKeys(rk).map(key => key.text)
}
