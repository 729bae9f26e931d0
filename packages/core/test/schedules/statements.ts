import type { AdapterUser } from '@siteauth/core/adapters'
import type { CompleteAdapter } from '../../../adapters/src/memory.ts'
import { betweenStatements } from './turns.ts'

/**
 * A store in memory whose methods are split where those of real stores are split into statements or commands, as far as
 * anybody can notice: what another flow does in between is seen, or overtakes what was read.
 *
 * The rest is one statement, one transaction or one script in every store, or takes effect by the last of its commands, as
 * linking an account on Redis does: a pointer without a record means nothing.
 */
export function inStatements(store: CompleteAdapter): CompleteAdapter {
  /** Users whose account is stored, but whose address is not claimed yet: a sign-up on Redis takes several commands. */
  const unclaimed = new Map<string, string>()
  const shown = <User extends AdapterUser | null | undefined>(user: User): User => {
    const email = user && unclaimed.get(user.id)
    return email === undefined ? user : { ...user, email }
  }

  return {
    ...store,
    getUser: async id => shown(await store.getUser(id)),
    // A pointer, then what it points to.
    async getUserByEmail(email) {
      const found = await store.getUserByEmail(email)
      if (!found) return null
      await betweenStatements()
      const user = shown(await store.getUser(found.id))
      return user?.email === email ? user : null
    },
    async getUserByAccount(key) {
      const found = await store.getUserByAccount(key)
      if (!found) return null
      await betweenStatements()
      const current = await store.getAccount(key.providerAccountId, key.provider)
      return current?.userId === found.id ? shown(await store.getUser(found.id)) : null
    },
    async getAccount(...key) {
      const found = await store.getAccount(...key)
      if (!found) return null
      await betweenStatements()
      const current = await store.getAccount(...key)
      return current?.userId === found.userId ? current : null
    },
    async unlinkAccount(key, ...given) {
      const found = await store.getAccount(key.providerAccountId, key.provider)
      if (!found) return undefined
      await betweenStatements()
      const current = await store.getAccount(key.providerAccountId, key.provider)
      if (current?.userId !== found.userId) return undefined
      await store.unlinkAccount(key, ...given)
      return current
    },
    async deleteAuthenticator(key) {
      if ((await store.getAuthenticator(key.credentialID))?.userId !== key.userId) return null
      await betweenStatements()
      return store.deleteAuthenticator(key)
    },
    // The session, then its user and whether it is listed.
    async getSessionAndUser(token) {
      const found = await store.getSessionAndUser(token)
      if (!found) return null
      await betweenStatements()
      const current = await store.getSessionAndUser(token)
      return current && { session: found.session, user: shown(current.user) }
    },
    async getAndRenewSession(token, renewal) {
      if (!(await store.getSessionAndUser(token))) return null
      await betweenStatements()
      const current = await store.getAndRenewSession(token, renewal)
      return current && { ...current, user: shown(current.user) }
    },
    async listSessions(...given) {
      const listed = await store.listSessions(...given)
      await betweenStatements()
      const current = (await store.listSessions(...given)).map(each => each.sessionToken)
      return listed.filter(({ sessionToken }) => current.includes(sessionToken))
    },
    // MySQL has no `returning`: what was changed is read afterwards.
    async updateUser(...given) {
      const updated = await store.updateUser(...given)
      await betweenStatements()
      return (await store.getUser(updated.id)) ?? updated
    },
    // Redis stores the account with its user and then claims the address. SQL does both at once.
    async createUserWithAccount({ user, ...rest }) {
      const { email } = user
      if (!email) return store.createUserWithAccount({ user, ...rest })
      const id = user.id ?? crypto.randomUUID()
      // Sound: nobody is told of it before the address is claimed.
      const nameless = { ...user, id, email: null as unknown as string }
      unclaimed.set(id, email)
      try {
        const stored = await store.createUserWithAccount({ user: nameless, ...rest })
        if (!stored) return null
        await betweenStatements()
        try {
          return { ...stored, user: await store.updateUser({ id, email }) }
        } catch {
          await store.deleteUser(id)
          return null
        }
      } finally {
        unclaimed.delete(id)
      }
    },
    trackedSessions: {
      ...store.trackedSessions,
      async list(...given) {
        const listed = await store.trackedSessions.list(...given)
        await betweenStatements()
        const current = (await store.trackedSessions.list(...given)).map(({ id }) => id)
        return listed.filter(({ id }) => current.includes(id))
      },
    },
  }
}
