import type { ClaimMethods } from '../adapter-methods.ts'
import { isUnchanged } from '../link-condition.ts'
import { accountKey } from './accounts.ts'
import { copyRecord } from './copy-record.ts'
import type { MemoryTables } from './tables.ts'

export function memoryClaims(tables: MemoryTables): ClaimMethods {
  const { users, accounts, authenticators, passwords, sessions, leases } = tables
  return {
    // Without waiting for anything, so that nothing else happens in between.
    async claimUser({ user: { id, email }, emailVerified, account }) {
      const user = users.get(id)
      if (!user || !isUnchanged(user, { user: { email, emailVerified: null } })) return null
      const linked = accounts.rowsOf(id)
      const passkeys = authenticators.rowsOf(id)
      const count = linked.length + passkeys.length + Number(passwords.has(id))
      const prove = () => copyRecord(users.update(id, { emailVerified }))
      if (account) {
        const isAlone = count === 1 && linked.some(each => accountKey(each) === accountKey(account))
        if (!isAlone) return null
        return {
          user: emailVerified && prove(),
          accounts: [],
          passkeys: [],
          hadPassword: false,
          sessions: 0,
        }
      }
      for (const each of linked) {
        accounts.delete(accountKey(each))
        leases.delete(accountKey(each))
      }
      for (const { credentialID } of passkeys) authenticators.delete(credentialID)
      const hadPassword = passwords.delete(id)
      return {
        user: emailVerified && count === 0 ? prove() : null,
        accounts: linked.map(({ provider, providerAccountId, type }) => {
          return { provider, providerAccountId, type }
        }),
        passkeys: passkeys.map(({ credentialID }) => ({ credentialID })),
        hadPassword,
        sessions: sessions.deleteOf(id),
      }
    },
  }
}
