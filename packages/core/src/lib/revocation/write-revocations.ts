import type { NewRevocation, RevocationEntry, RevocationLog } from '../base/stores.ts'
import type { MarkClaims, Marks, ProvidedEnding } from '../session/revocation.ts'
import type { LogPoller } from './log-poller.ts'
import type { PendingEntries } from './pending-entries.ts'
import { closedKey, isSessionKey, noticeKey, providerKey, userKey } from './revocation-keys.ts'
import { SECOND, type ViewSettings } from './revocation-settings.ts'
import type { RevokedKeys } from './revoked-keys.ts'
import type { StatusReader } from './status-reader.ts'

/** What every function that writes to the log needs. */
export interface RevocationWriter {
  readonly log: RevocationLog
  readonly view: RevokedKeys
  readonly poller: LogPoller
  readonly pending: PendingEntries
  readonly readStatus: StatusReader
  readonly settings: ViewSettings
  /** When the last session that an entry written now can revoke will have expired. */
  readonly expiry: () => Date
}

/** Revokes a session. If the store fails, this process rejects it nevertheless, and retries. */
export async function revoke(writer: RevocationWriter, marks: Marks): Promise<void> {
  const { log, view, poller, pending, settings } = writer
  const { session } = marks
  if (!session) return
  // An old token must not end the session for the owner of the new one.
  const failure = await catchUp(writer, marks)
  if (view.isOutdated(marks, poller.storeTime(settings.now()))) return
  const entry = { key: session.text, until: writer.expiry() }
  // This process rejects it from now on, whatever the store returns.
  view.add({ ...entry, generation: null })
  try {
    // A store that has just kept the visitor waiting is not waited for again.
    if (failure !== undefined) throw failure
    await log.end([entry])
  } catch (error) {
    pending.add(entry, settings.pollMilliseconds)
    settings.report('The end of a session could not be stored yet. It will be retried.', error)
  }
}

/** Reads from the store what this process may have missed. Returns why the store did not respond, if it did not. */
async function catchUp(
  { poller, readStatus, settings: { check, pollMilliseconds, now } }: RevocationWriter,
  marks: Marks,
): Promise<unknown> {
  if (check === 'on-renewal') {
    return readStatus(marks).then(
      () => undefined,
      (error: unknown) => error,
    )
  }
  if (Math.abs(poller.age(now())) < pollMilliseconds) return undefined
  await poller.poll()
  return poller.error
}

/** Ends a session in a moment, with all its tokens. False if it was ended or replaced before. */
export async function replace(writer: RevocationWriter, marks: Marks): Promise<boolean> {
  return (await nextGeneration(writer, marks, { isClosing: true })) !== null
}

/**
 * Ends the tokens that a session has in a moment. Returns the claims of its next token; null if it was
 * ended or replaced before.
 */
export async function rotate(writer: RevocationWriter, marks: Marks): Promise<MarkClaims | null> {
  const { session } = marks
  const rot = await nextGeneration(writer, marks, { isClosing: false })
  if (!session || rot === null) return null
  // If two requests rotate at once, the later write wins, and the earlier token is already replaced. A
  // session that was closed meanwhile, by a sign-in over it, has no next token.
  const found = await writer.log.find([session.text, closedKey(session)])
  const isLast = found.every(
    ({ key, generation }) =>
      key === session.text && generation != null && Number(generation) === rot,
  )
  return isLast ? { ...marks.claims, rot } : null
}

/**
 * The generation of the session's next token; null if it was ended or replaced before.
 *
 * @param isClosing whether no token follows
 */
async function nextGeneration(
  writer: RevocationWriter,
  marks: Marks,
  { isClosing }: { readonly isClosing: boolean },
): Promise<number | null> {
  const { session } = marks
  // Replacing a session again would let its tokens last longer.
  if (!session || (await writer.readStatus(marks)) !== 'alive') return null
  const until = writer.expiry()
  const written = await write(writer, [
    { key: session.text, until, isGeneration: true },
    ...(isClosing ? [{ key: closedKey(session), until }] : []),
  ])
  const generation = written.find(({ key }) => key === session.text)?.generation
  return generation == null ? null : Number(generation)
}

/** Revokes every session of a user. Throws if the store does not accept it. */
export async function revokeUser(writer: RevocationWriter, userId: string): Promise<void> {
  const until = writer.expiry()
  await write(writer, [{ key: userKey(userId).text, until, isGeneration: true }])
}

/** Revokes the sessions that a provider names. False if it has done so before with the same notice. */
export async function revokeByProvider(
  writer: RevocationWriter,
  { keys, issuedUpTo, once }: ProvidedEnding,
): Promise<boolean> {
  const notice = once && { key: noticeKey(once.key).text, until: once.until }
  if (notice && (await writer.log.find([notice.key])).length > 0) return false
  const until = writer.expiry()
  // Sign-ins of the same second are included: their users can sign in again.
  const generation = issuedUpTo * SECOND + 1
  const entries = keys.map(key => ({
    ...{ key: providerKey(key).text, until },
    ...{ isGeneration: true, generation },
  }))
  await write(writer, notice ? [...entries, notice] : entries)
  return true
}

/** Revokes sessions by their keys. Throws if the store does not accept it. */
export async function revokeKeys(writer: RevocationWriter, keys: readonly string[]): Promise<void> {
  const until = writer.expiry()
  const entries = keys.filter(isSessionKey).map(key => ({ key, until }))
  if (entries.length > 0) await write(writer, entries)
}

/** Writes entries, all or none, and adds them to the view as they were stored. */
async function write(
  { log, view }: RevocationWriter,
  entries: readonly NewRevocation[],
): Promise<readonly RevocationEntry[]> {
  const written = await log.end(entries)
  for (const revocation of written) view.add(revocation)
  return written
}
