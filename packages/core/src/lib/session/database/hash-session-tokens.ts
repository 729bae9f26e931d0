import type { Adapter, AdapterSession } from '../../base/model.ts'
import { hashedName, isStoredName } from '../session-name.ts'
import { allColumns } from './all-columns.ts'

/** A row that was found, in the name that its cookie has for it. */
type Found = { readonly session: AdapterSession }

/**
 * How tokens are hashed. `accept`: new ones are not, and those that are can be used. `migrate`: those that
 * are not are hashed when they are used.
 */
export type HashMode = true | 'migrate' | 'accept'

/**
 * A store that is told hashes of session tokens, and does not know it. A token is a random number of more
 * than 112 bits, so a plain hash will do, and needs no secret that could change.
 */
export function hashSessionTokens(store: Adapter, mode: HashMode): Adapter {
  const { createSession, getSessionAndUser, getAndRenewSession, updateSession, deleteSession } =
    store
  const { createUserWithAccount } = store
  /** What a session is stored as. */
  const nameOf = async (token: string) =>
    isStoredName(token) || mode === 'accept' ? token : hashedName(token)
  /** Moves that are under way in this process: the requests of one page come all at once. */
  const moving = new Map<string, Promise<void>>()

  async function hashed<Row extends { readonly sessionToken: string }>(row: Row): Promise<Row> {
    return { ...row, sessionToken: await nameOf(row.sessionToken) }
  }

  /** Hashes a session that was stored under its token. */
  function move(plain: AdapterSession): Promise<void> {
    const { sessionToken: token } = plain
    const known = moving.get(token)
    if (known) return known
    const move = rename(plain).finally(() => moving.delete(token))
    moving.set(token, move)
    return move
  }

  async function rename(plain: AdapterSession): Promise<void> {
    const { sessionToken: token } = plain
    const name = await hashedName(token)
    const columns = await allColumns(store, plain, token)
    try {
      await createSession?.({ ...columns, sessionToken: name })
    } catch {
      return // another server was faster; or it stays as it is, and is tried again
    }
    // Whoever signs out deletes the plain row first. If it is gone, its hash must go, too.
    await deleteSession?.((await isThere(token)) ? token : name)
  }

  async function isThere(name: string): Promise<boolean> {
    return exact(await getSessionAndUser?.(name), name) !== null
  }

  /** Asks for a session by the name that it should have; then by the other one that it may have. */
  async function find<Row extends Found>(
    token: string,
    ask: (name: string) => Promise<Row | null>,
  ): Promise<Row | null> {
    const name = await nameOf(token)
    const get = async (asked: string) => exact(await ask(asked), asked)
    let found = await get(name)
    if (!found && mode === 'accept' && !isStoredName(token))
      found = await get(await hashedName(token))
    if (!found && mode === 'migrate' && !isStoredName(token)) {
      const plain = exact(await getSessionAndUser?.(token), token)
      if (plain) await move({ ...plain.session, sessionToken: token })
      // One that is not there may have been moved by another request just now.
      found = (await get(name)) ?? (plain ? await get(token) : null)
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
    ...(updateSession && {
      async updateSession(session) {
        const { sessionToken: token } = session
        const isHashed = mode === 'accept' && !(await isThere(token))
        const sessionToken = isHashed ? await hashedName(token) : await nameOf(token)
        return updateSession({ ...session, sessionToken })
      },
    }),
    ...(deleteSession && {
      async deleteSession(token: string): Promise<AdapterSession | null | undefined> {
        if (mode === true || isStoredName(token))
          return named(await deleteSession(await nameOf(token)))
        // In the order in which it is moved, so that it cannot slip through.
        const plain = await deleteIfThere(token)
        return named((await deleteIfThere(await hashedName(token))) ?? plain)

        function named(session: unknown): AdapterSession | null {
          return session ? { ...(session as AdapterSession), sessionToken: token } : null // as adapters have it
        }
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
    const found = exact(await getSessionAndUser?.(name), name)
    if (!found) return null
    await deleteSession?.(name)
    return found.session
  }
}

/** A store may take one name for another, and capitals for small letters. Then it has found nothing. */
function exact<Row extends Found>(found: Row | null | undefined, name: string): Row | null {
  // Some columns fill a name up with blanks.
  return found?.session.sessionToken.trimEnd() === name ? found : null
}
