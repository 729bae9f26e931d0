import type { RevocationLog } from '../base/stores.ts'
import type { ListedKeys } from '../session/revocation.ts'
import { splitInto } from '../session/split-into.ts'
import { closedKey, providerKeys } from './keys/revocation-keys.ts'
import { isEarlier } from './keys/revoked-keys.ts'

/** The listed sessions that were revoked, according to the store. */
export async function findRevoked<Listed extends ListedKeys>(
  log: Pick<RevocationLog, 'find'>,
  listed: readonly Listed[],
): Promise<ReadonlySet<Listed>> {
  const keys = new Set(
    listed.flatMap(session => [...keysOfSession(session), ...keysOfProvider(session)]),
  )
  const generations = new Map<string, number | null>()
  for (const part of splitInto([...keys])) {
    for (const { key, generation } of await log.find(part)) generations.set(key, generation)
  }
  const isRevoked = (session: Listed) =>
    keysOfSession(session).some(key => generations.has(key) && generations.get(key) == null) ||
    keysOfProvider(session).some(
      key => generations.has(key) && isEarlier(session, generations.get(key) ?? null),
    )
  return new Set(listed.filter(isRevoked))
}

/** A session that was closed has tokens for a moment, and none that follows. */
function keysOfSession({ key }: ListedKeys): readonly string[] {
  return key === undefined ? [] : [key, closedKey({ text: key })]
}

function keysOfProvider({ rk }: ListedKeys): readonly string[] {
  return providerKeys(rk).map(key => key.text)
}
