import type { NewRevocation, RevocationEntry, RevocationLog } from '../base/stores.ts'
import type { ProviderRevocation, RevocationKeys, UserRevocation } from '../session/revocation.ts'
import { splitInto } from '../session/split-into.ts'
import { isSessionKey, noticeKey, providerKey, userKey, userKeys } from './keys/revocation-keys.ts'
import type { RevokedKeys } from './keys/revoked-keys.ts'
import type { LatestExpiry } from './latest-expiry.ts'
import type { LogPoller } from './log-poller.ts'
import type { PendingEntries } from './pending-entries.ts'
import { SECOND, type ViewSettings } from './revocation-settings.ts'
import type { StatusReader } from './status-reader.ts'

/** The dependencies of every function that writes to the log. */
export interface RevocationWriter {
  readonly log: RevocationLog
  readonly view: RevokedKeys
  readonly poller: LogPoller
  readonly pending: PendingEntries
  readonly readStatus: StatusReader
  readonly settings: ViewSettings
  /** Stands for the audience in keys; null without one. */
  readonly tag: string | null
  readonly latest: LatestExpiry
}

/**
 * Revokes a session. If the store fails, this process rejects it nevertheless, and retries. False if the session may
 * still be alive: the token was replaced before, or the store has not accepted it yet.
 */
export async function revoke(
  writer: RevocationWriter,
  sessionKeys: RevocationKeys,
): Promise<boolean> {
  const { log, view, poller, pending, settings } = writer
  const { session } = sessionKeys
  if (!session) return false
  // An old token must not end the session for the owner of the new one.
  const failure = await catchUp(writer, sessionKeys)
  if (view.isOutdated(sessionKeys, poller.storeTime(settings.now()))) return false
  const entry = { key: session.text, until: writer.latest.expiry() }
  // This process rejects it from now on, whatever the store returns.
  view.add({ ...entry, generation: null })
  try {
    // A store that has just kept the visitor waiting is not waited for again.
    if (failure !== undefined) throw failure
    await log.end([entry])
    return true
  } catch (error) {
    pending.add(entry, settings.pollMilliseconds)
    settings.report('The end of a session could not be stored yet. It will be retried.', error)
    return false
  }
}

/** Revokes a token, but not the session. Throws if the store does not accept it. */
export async function revokeToken(
  writer: RevocationWriter,
  sessionKeys: RevocationKeys,
): Promise<void> {
  const { token } = sessionKeys
  if (token && (await writer.readStatus(sessionKeys)) !== 'revoked') {
    await write(writer, [{ key: token.text, until: writer.latest.expiry() }])
  }
}

/** Reads from the store what this process may have missed. Returns why the store did not respond, if it did not. */
async function catchUp(
  { view, poller, readStatus, settings: { check, pollMilliseconds, now } }: RevocationWriter,
  sessionKeys: RevocationKeys,
): Promise<unknown> {
  if (check === 'always' && Math.abs(poller.age(now())) >= pollMilliseconds) {
    await poller.poll()
    if (poller.error !== undefined) return poller.error
  }
  if (check === 'always' && view.isComplete) return undefined
  return readStatus(sessionKeys).then(
    () => undefined,
    (error: unknown) => error,
  )
}

/** Revokes every session of a user. Returns the time of the entry. Throws if the store does not accept it. */
export async function revokeUser(
  writer: RevocationWriter,
  userId: string,
  { at, isShared = false, retentionSeconds = 0 }: UserRevocation = {},
): Promise<number> {
  const { latest, poller, settings } = writer
  const { text: key } = userKey(userId, isShared ? null : writer.tag)
  await latest.read()
  // A session has one generation, the highest of both keys when it began. The next of either must be higher.
  const last = writer.tag === null ? 0 : await readLastRevocation(writer, userId)
  const minExpiry = poller.storeTime(settings.now()) + retentionSeconds * SECOND
  const until = new Date(Math.max(latest.expiry().getTime(), minExpiry))
  const generation = await writeGeneration(writer, { key, until }, at)
  return generation <= last && last < Infinity
    ? writeGeneration(writer, { key, until }, last + 1)
    : generation
}

/** @param lowest the lowest generation that the key may get; the time of the store if it is left out */
async function writeGeneration(
  writer: RevocationWriter,
  { key, until }: Pick<NewRevocation, 'key' | 'until'>,
  lowest: number | undefined,
): Promise<number> {
  const entry = { key, until, isGeneration: true }
  const written = await write(writer, [
    lowest === undefined ? entry : { ...entry, generation: lowest },
  ])
  const generation = written.find(each => each.key === key)?.generation
  return generation == null ? Infinity : Number(generation)
}

/** When all sessions of a user were last revoked; infinite if they are for good. */
export async function readLastRevocation(
  { latest, view, tag }: Pick<RevocationWriter, 'latest' | 'view' | 'tag'>,
  userId: string,
): Promise<number> {
  const keys = userKeys(userId, tag)
  const found = await latest.find(keys.map(key => key.text))
  // A store that has lost its rows, or is behind, would begin a session that this process rejects.
  const held = keys.map(key => view.generationOf(key))
  const stored = found.map(({ generation }) =>
    generation == null ? Infinity : Number(generation) || 0,
  )
  return [...held, ...stored].reduce((latest, each) => Math.max(latest, each), 0)
}

/** Revokes the sessions that a provider names. False if it has done so before with the same notice. */
export async function revokeByProvider(
  writer: RevocationWriter,
  { keys, issuedUpTo, once }: ProviderRevocation,
): Promise<boolean> {
  const notice = once && { key: noticeKey(once.key).text, until: once.until }
  if (notice && (await writer.latest.find([notice.key])).length > 0) return false
  if (!notice) await writer.latest.read()
  const until = writer.latest.expiry()
  // Sign-ins of the same second are included: their users can sign in again.
  const generation = issuedUpTo * SECOND + 1
  const entries = keys.map(key => ({
    ...{ key: providerKey(key).text, until },
    ...{ isGeneration: true, generation },
  }))
  await write(writer, notice ? [...entries, notice] : entries)
  return true
}

/** Revokes sessions by their keys. Throws if the store does not accept it; those before have ended then. */
export async function revokeKeys(writer: RevocationWriter, keys: readonly string[]): Promise<void> {
  const sessions = keys.filter(isSessionKey)
  if (sessions.length === 0) return
  await writer.latest.read()
  const until = writer.latest.expiry()
  for (const part of splitInto(sessions)) {
    await write(
      writer,
      part.map(key => ({ key, until })),
    )
  }
}

/** Writes entries, and adds them to the view as they were stored. */
export async function write(
  { log, view }: RevocationWriter,
  entries: readonly NewRevocation[],
): Promise<readonly RevocationEntry[]> {
  const written = await log.end(entries)
  for (const revocation of written) view.add(revocation)
  return written
}
