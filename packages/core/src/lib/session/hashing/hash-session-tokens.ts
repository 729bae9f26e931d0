import type { Adapter, AdapterSession, ConditionalLink } from '../../base/adapter.ts'
import { wrapStore } from '../../base/wrap-store.ts'
import { allColumns } from '../database/all-columns.ts'
import { type HashMode, hashedName, isStoredName } from '../database/row-name.ts'
import type { WithoutSessionToken } from './session-token-methods.ts'

/**
 * An adapter that receives hashes of session tokens instead of the tokens. A token is a random number of
 * more than 112 bits, so a plain hash will do, and needs no secret that could change.
 */
export function hashSessionTokens(store: Adapter, mode: HashMode): Adapter {
  const names = namesFor(store, mode)
  return wrapStore<Adapter, WithoutSessionToken>(store, {
    createSession: createSession => session => createNamed(createSession, names, session),
    getSessionAndUser: getSessionAndUser => token =>
      findNamed(names, token, async name => getSessionAndUser(name)),
    getAndRenewSession: getAndRenewSession => (token, renewal) =>
      findNamed(names, token, async name => getAndRenewSession(name, renewal)),
    updateSession: updateSession => async session =>
      updateSession({ ...session, sessionToken: await names.existing(session.sessionToken) }),
    deleteSession: () => async (token: string) => withToken(await names.delete(token), token),
    createUserWithAccount: createUserWithAccount => signUp =>
      signUpNamed(createUserWithAccount, names, signUp),
    linkAccountIf: linkAccountIf => async link => linkAccountIf(await linkNamed(names, link)),
  })
}

/** A row that was found. */
type Found = { readonly session: AdapterSession }

/** Reads a row by its name in the store. */
type Query<Row> = (name: string) => Promise<Row | null>

/** The names of sessions in the store, in one mode. */
interface StoredNames {
  /** The name of a session that is created. */
  forNew(token: string): Promise<string>
  /** Finds a session under every name that it may have. */
  find<Row extends Found>(token: string, query: Query<Row>): Promise<Row | null>
  /** The name of a session that is updated. */
  existing(token: string): Promise<string>
  /** Deletes a session under every name that it may have, and returns what the store returns. */
  delete(token: string): Promise<unknown>
}

function namesFor(store: Adapter, mode: HashMode): StoredNames {
  switch (mode) {
    case 'migrate':
      return whileMigrating(store)
    case 'accept':
      return whileAccepting(store)
    default:
      return withHashes(store)
  }
}

/** All sessions are stored under hashes. */
function withHashes(store: Adapter): StoredNames {
  return {
    forNew: toHashed,
    async find(token, query) {
      const name = await toHashed(token)
      return exact(await query(name), name)
    },
    existing: toHashed,
    delete: async token => store.deleteSession?.(await toHashed(token)),
  }
}

/** New sessions are stored under hashes. Those under their tokens are moved when they are used. */
function whileMigrating(store: Adapter): StoredNames {
  /** Moves that are in progress in this process: the requests of one page come all at once. */
  const moves = new Map<string, Promise<void>>()

  function move(plain: AdapterSession): Promise<void> {
    const { sessionToken: token } = plain
    const existing = moves.get(token)
    if (existing) return existing
    const moving = moveToHash(store, plain).finally(() => moves.delete(token))
    moves.set(token, moving)
    return moving
  }

  return {
    forNew: toHashed,
    async find(token, query) {
      const name = await toHashed(token)
      const found = exact(await query(name), name)
      if (found || isStoredName(token)) return found
      const plain = await findRow(store, token)
      if (plain) await move({ ...plain.session, sessionToken: token })
      // A missing row may have been moved by another request just now.
      const moved = exact(await query(name), name)
      return moved || !plain ? moved : exact(await query(token), token)
    },
    existing: toHashed,
    delete: token => deleteBoth(store, token),
  }
}

/** New sessions are stored under their tokens. Those under hashes can be used. */
function whileAccepting(store: Adapter): StoredNames {
  return {
    forNew: async token => token,
    async find(token, query) {
      const found = exact(await query(token), token)
      if (found || isStoredName(token)) return found
      const name = await hashedName(token)
      return exact(await query(name), name)
    },
    existing: async token => ((await findRow(store, token)) ? token : hashedName(token)),
    delete: token => deleteBoth(store, token),
  }
}

async function toHashed(token: string): Promise<string> {
  return isStoredName(token) ? token : hashedName(token)
}

/** Stores a session under its hash that was stored under its token. */
async function moveToHash(store: Adapter, plain: AdapterSession): Promise<void> {
  const { sessionToken: token } = plain
  const name = await hashedName(token)
  const columns = await allColumns(store, plain, token)
  try {
    await store.createSession?.({ ...columns, sessionToken: name })
  } catch {
    return // another server was faster; or the row stays as it is, and the next use tries again
  }
  // A sign-out deletes the plain row first. If that is gone, its hash must go, too.
  await store.deleteSession?.((await findRow(store, token)) ? token : name)
}

/** Deletes the row of the token first, as moving does, so that the session cannot slip through. */
async function deleteBoth(store: Adapter, token: string): Promise<unknown> {
  if (isStoredName(token)) return store.deleteSession?.(token)
  const plain = await deleteExisting(store, token)
  return (await deleteExisting(store, await hashedName(token))) ?? plain
}

/** Some stores throw if they should delete a row that does not exist. */
async function deleteExisting(store: Adapter, name: string): Promise<AdapterSession | null> {
  const found = await findRow(store, name)
  if (!found) return null
  const deleted = await store.deleteSession?.(name)
  // Those that list sessions return a row only to the one who deletes it.
  return store.listSessions ? (deleted ?? null) : found.session
}

async function createNamed(
  createSession: NonNullable<Adapter['createSession']>,
  names: StoredNames,
  session: AdapterSession,
): Promise<AdapterSession> {
  const { sessionToken } = session
  const stored = await createSession({
    ...session,
    sessionToken: await names.forNew(sessionToken),
  })
  return { ...stored, sessionToken }
}

async function findNamed<Row extends Found>(
  names: StoredNames,
  token: string,
  query: Query<Row>,
): Promise<Row | null> {
  const found = await names.find(token, query)
  return found && { ...found, session: { ...found.session, sessionToken: token } }
}

type NewSignUp = NonNullable<Adapter['createUserWithAccount']>

async function signUpNamed(
  createUserWithAccount: NewSignUp,
  names: StoredNames,
  signUp: Parameters<NewSignUp>[0],
): Promise<Awaited<ReturnType<NewSignUp>>> {
  const { session } = signUp
  if (!session) return createUserWithAccount(signUp)
  const { sessionToken } = session
  const named = { ...session, sessionToken: await names.forNew(sessionToken) }
  const stored = await createUserWithAccount({ ...signUp, session: named })
  return stored?.session ? { ...stored, session: { ...stored.session, sessionToken } } : stored
}

async function linkNamed(names: StoredNames, link: ConditionalLink): Promise<ConditionalLink> {
  const { sessionToken: token } = link.condition
  if (token === undefined) return link
  return { ...link, condition: { ...link.condition, sessionToken: await names.existing(token) } }
}

function withToken(session: unknown, sessionToken: string): AdapterSession | null {
  return session ? { ...(session as AdapterSession), sessionToken } : null // as adapters have it
}

async function findRow(store: Adapter, name: string): Promise<Found | null> {
  return exact(await store.getSessionAndUser?.(name), name)
}

/** A store may take one name for another, and capitals for small letters. Then it has found nothing. */
function exact<Row extends Found>(found: Row | null | undefined, name: string): Row | null {
  // Some columns fill a name up with blanks.
  return found?.session.sessionToken.trimEnd() === name ? found : null
}
