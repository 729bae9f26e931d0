import type { NewRevocation } from '../../base/stores.ts'
import { keyText } from './key-text.ts'

/** Browsers store no cookie for longer: 400 days (draft-ietf-httpbis-rfc6265bis, 5.5), in milliseconds. */
const MAX_SESSION_AGE = 400 * 24 * 60 * 60 * 1000

/**
 * The entry in an adapter's log by which all sessions of a user are revoked. `deleteUser` records it: a session in a
 * cookie does not have a row that could be deleted with the user, and a sign-in in progress does not have one yet.
 *
 * Call it before the user is deleted, so that nothing is deleted if the log does not respond, and again afterwards, for
 * what began in between.
 *
 * @example
 * ```ts
 * import { type RevocationLog, userRevocation } from '@siteauth/core/adapters'
 *
 * declare const revocations: RevocationLog
 *
 * export async function deleteUser(id: string): Promise<void> {
 *   await revocations.end([userRevocation(id)])
 *   await deleteRows(id)
 *   await revocations.end([userRevocation(id)])
 * }
 * declare function deleteRows(userId: string): Promise<void> // your database
 * ```
 */
export function userRevocation(userId: string): NewRevocation {
  return {
    key: keyText('u:', String(userId)),
    until: new Date(Date.now() + MAX_SESSION_AGE),
    isGeneration: true,
  }
}
