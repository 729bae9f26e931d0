import { type RevocationLog, userRevocation } from '@siteauth/core/adapters'
import type { UserMethods } from '../adapter-methods.ts'

/**
 * The methods for users, of which `deleteUser` records that all sessions of the user are revoked: those in cookies have no
 * rows, and a sign-in in progress has none yet.
 */
export function revokeDeleted(users: UserMethods, log: RevocationLog): UserMethods {
  async function revoke(userId: string): Promise<void> {
    try {
      await log.end([userRevocation(userId)])
    } catch (error) {
      // A database for sessions in rows may lack the table: nothing in it could have been checked against an entry.
      if (Object(error).code !== 'missing_table') throw error
    }
  }

  return {
    ...users,
    async deleteUser(id) {
      // Sessions have the id as it is stored, which may be a UUID in other letters.
      const userId = (await users.getUser(id))?.id ?? id
      // Before, so that nothing is deleted if the log does not respond.
      await revoke(userId)
      const user = await users.deleteUser(id)
      // And after, since a sign-in may have started in between and found the user.
      await revoke(userId)
      return user
    },
  }
}
