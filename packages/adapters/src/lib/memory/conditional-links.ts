import type { LinkMethods } from '../adapter-methods.ts'
import { answerable, isRevoked, isUnchanged, storedOutcome } from '../link-condition.ts'
import { insertAccount, isTaken } from './accounts.ts'
import type { MemoryLog } from './revocations.ts'
import type { MemoryTables } from './tables.ts'

export function memoryLinks(tables: MemoryTables, log: MemoryLog): LinkMethods {
  const { users, sessions, authenticators } = tables

  function hasSession(userId: string, token: string): boolean {
    const session = sessions.get(token)
    return session?.userId === userId && session.expires.getTime() > Date.now()
  }

  return {
    // Without waiting for anything, so that nothing else happens in between.
    async linkAccountIf({ account, authenticator, condition }) {
      const { userId } = account
      const { sessionToken } = condition
      const unrevoked = answerable(log, condition)
      if (!isUnchanged(users.get(userId), condition)) return 'changed'
      if (sessionToken !== undefined && !hasSession(userId, sessionToken)) return 'changed'
      if (unrevoked && isRevoked(log.find(unrevoked.keys.map(({ key }) => key)), unrevoked)) {
        return 'changed'
      }
      if (isTaken(tables, account)) return 'taken'
      if (authenticator && authenticators.has(authenticator.credentialID)) return 'taken'
      insertAccount(tables, account)
      if (authenticator) authenticators.set(authenticator.credentialID, authenticator)
      return storedOutcome(condition, unrevoked)
    },
  }
}
