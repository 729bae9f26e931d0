import type { ListedKeys, RevocationKeys } from './revocation.ts'
import { nameWith, nameWithoutProvider, parseSessionLimits } from './session-name.ts'

/**
 * The name that a session in a cookie is listed under; null if nothing distinguishes it from others. The keys of its
 * provider are part of it, as in the names of rows, so that revoked sessions are left out of the list.
 */
export function listedName({ session, claims: { rk } }: RevocationKeys): string | null {
  return session && nameWith(session.text, { rk })
}

/** The parts of such a name. */
export function keysIn(
  name: string,
): ListedKeys & { readonly key: string; readonly tag: string | null } {
  const key = nameWithoutProvider(name)
  return { key, rk: parseSessionLimits(name).rk, tag: TAGGED.exec(key)?.[1] ?? null }
}

/** The key of a session that began with an audience. No other key of a session ends like this. */
const TAGGED = /^s:[\da-f]+\.([\w-]{22})$/
