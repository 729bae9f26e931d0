import type { Adapter, AdapterSession } from '../base/model.ts'
import { hashedName, isDigestName } from './row-name.ts'

/** A row that was found, in the name that its cookie has for it. */
type Found = { readonly session: AdapterSession }

/**
 * A store that is told hashes of session tokens, and does not know it. A token is a random number of more
 * than 112 bits, so a plain hash will do, and needs no secret that could change.
 *
 * @param mode `migrate`: sessions that were stored under their tokens are found, and hashed
 */
export function hashSessionTokens(store: Adapter, mode: true | 'migrate'): Adapter {
  const { createSession, getSessionAndUser, getAndRenewSession, updateSession, deleteSession } =
    store
  const { createUserWithAccount, renameSession } = store
  const nameOf = async (token: string) => (isDigestName(token) ? token : hashedName(token))
  /** Moves that are under way in this process: the requests of one page come all at once. */
  const moving = new Map<string, Promise<void>>()

  async function hashed<Row extends { readonly sessionToken: string }>(row: Row): Promise<Row> {
    return { ...row, sessionToken: await nameOf(row.sessionToken) }
  }

  /** Hashes a session that was stored under its token. */
  function move(token: string): Promise<void> {
    const known = moving.get(token)
    if (known) return known
    const move = rename(token).finally(() => moving.delete(token))
    moving.set(token, move)
    return move
  }

  async function rename(token: string): Promise<void> {
    const name = await hashedName(token)
    // One that is deleted meanwhile is not brought back.
    if (renameSession) return void (await renameSession(token, name))
    const { session } = (await getSessionAndUser?.(token)) ?? {}
    if (!session) return
    const { id: _, ...row } = session as AdapterSession & { readonly id?: unknown }
    try {
      await createSession?.({ ...row, sessionToken: name })
    } catch {
      return // another server was faster; or it stays as it is, and is tried again
    }
    await deleteSession?.(token)
  }

  /** Asks for a session by its hash; then by its token, which is hashed from then on. */
  async function find<Row extends Found>(
    token: string,
    ask: (name: string) => Promise<Row | null>,
  ): Promise<Row | null> {
    const name = await nameOf(token)
    let found = await ask(name)
    if (!found && mode === 'migrate' && !isDigestName(token)) {
      const isPlain = Boolean(await getSessionAndUser?.(token))
      if (isPlain) await move(token)
      // One that is not there may have been moved by another request just now.
      found = (await ask(name)) ?? (isPlain ? await ask(token) : null)
    }
    return found && { ...found, session: { ...found.session, sessionToken: token } }
  }

  return {
    ...store,
    ...(createSession && {
      async createSession(session) {
        const stored = await createSession(await hashed(session))
        return { ...stored, sessionToken: session.sessionToken }
      },
    }),
    ...(getSessionAndUser && {
      getSessionAndUser: token => find(token, async name => getSessionAndUser(name)),
    }),
    ...(getAndRenewSession && {
      getAndRenewSession: (token, renewal) =>
        find(token, async name => getAndRenewSession(name, renewal)),
    }),
    ...(renameSession && {
      // One that is renamed was found before, and so it is hashed.
      renameSession: async (token, renamed) =>
        renameSession(await nameOf(token), await nameOf(renamed)),
    }),
    ...(updateSession && { updateSession: async session => updateSession(await hashed(session)) }),
    ...(deleteSession && {
      async deleteSession(token: string): Promise<AdapterSession | null | undefined> {
        const name = await nameOf(token)
        // In the order in which it is moved, so that it cannot slip through.
        const plain = mode === 'migrate' && name !== token ? await deleteIfThere(token) : null
        const session = (await (plain ? deleteIfThere(name) : deleteSession(name))) ?? plain
        return session ? { ...session, sessionToken: token } : session
      },
    }),
    ...(createUserWithAccount && {
      async createUserWithAccount(signUp) {
        const session = signUp.session && (await hashed(signUp.session))
        const stored = await createUserWithAccount({ ...signUp, ...(session && { session }) })
        if (!stored?.session || !signUp.session) return stored
        const { sessionToken } = signUp.session
        return { ...stored, session: { ...stored.session, sessionToken } }
      },
    }),
  }

  /** Some stores mind being asked to delete what is not there. */
  async function deleteIfThere(name: string): Promise<AdapterSession | null> {
    const found = await getSessionAndUser?.(name)
    if (!found) return null
    await deleteSession?.(name)
    return found.session
  }
}
