import type { JWT } from '../../base/session.ts'
import { listedName } from '../listed-name.ts'
import { readSessionLimits } from '../read-session-limits.ts'
import type { RevocationKeys } from '../revocation.ts'
import type { OwnSession } from '../session-list.ts'
import type { IdentifiedSession, NoSession, ReadOptions } from '../store.ts'
import { requireRevocations } from './jwt-list.ts'
import type { JwtReader } from './jwt-reader.ts'
import { askAndRenew } from './jwt-renewal.ts'

/** Identifies the session of a token: see `SessionStore.identify`. */
export async function identifyJwt(
  reader: JwtReader,
  token: string,
  options: ReadOptions,
): Promise<IdentifiedSession | NoSession> {
  const { dependencies } = reader
  const opened = await dependencies.codec.open(token, dependencies.now())
  if (typeof opened === 'string') return { absence: opened === 'expired' ? 'expired' : 'unknown' }
  const claims = opened.claims as JWT // sealed by us
  if (!reader.isValid(claims)) {
    // Reading it ends it for good, if it is over only by the lifetime that sessions have by now.
    await reader.read(token, { ...options, canRenew: false })
    return { absence: 'expired' }
  }
  const view = await dependencies.revocations?.open()
  const facts = reader.facts(claims, opened.text)
  const { keys } = facts
  const status = keys && (await view?.readStatus(keys))
  if (status === 'revoked') return { absence: 'revoked' }
  if (status === 'replaced') return { absence: 'replaced' }
  // The token is renewed only if the callback has changed it: a change that is not stored is lost.
  const active = await askAndRenew(dependencies, facts, claims, { ...options, isDue: false })
  if (!active) return { absence: 'declined' }
  const userId = (keys ? keys.claims.uid : claims.sub) ?? null
  const listed = async () => {
    requireRevocations(dependencies.revocations)
    return toListed(keys, userId)
  }
  const condition = keys && view ? { unrevoked: view.conditionOf(keys) } : {}
  return { active, userId, limits: readSessionLimits(claims), condition, listed }
}

function toListed(keys: RevocationKeys | undefined, userId: string | null): OwnSession | null {
  const id = keys && listedName(keys)
  if (!id || userId === null) return null
  const { bgn } = keys.claims
  return { id, userId, ...(bgn !== undefined && { createdAt: new Date(bgn) }) }
}
