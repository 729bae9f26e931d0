import type { NewRevocation, RevocationEntry } from '../base/stores.ts'
import type { RevocationKeys, RotatedClaims } from '../session/revocation.ts'
import { closedKey } from './keys/revocation-keys.ts'
import { MINUTE } from './revocation-settings.ts'
import { type RevocationWriter, write } from './write-revocations.ts'

/**
 * Ends a session in a moment, with all its tokens. Returns since when, by the clock of the store; null if it was ended or
 * replaced before.
 */
export async function replace(
  writer: RevocationWriter,
  sessionKeys: RevocationKeys,
): Promise<number | null> {
  const { session } = sessionKeys
  // Replacing a session again would let its tokens last longer.
  if (!session || (await writer.readStatus(sessionKeys)) !== 'active') return null
  const closed = { key: closedKey(session), until: writer.latest.expiry() }
  const entry = nextGeneration(writer, sessionKeys, session.text)
  const written = await write(writer, [entry, closed])
  const generation = written.find(({ key }) => key === session.text)?.generation
  return generation == null ? null : Number(generation)
}

/** Ends the tokens that a session has in a moment: see `RevocationView.rotate`. */
export async function rotate(
  writer: RevocationWriter,
  sessionKeys: RevocationKeys,
): Promise<RotatedClaims | null> {
  const { session } = sessionKeys
  if (!session || (await writer.readStatus(sessionKeys)) !== 'active') return null
  const entry = nextGeneration(writer, sessionKeys, session.text)
  let rot: number | null
  try {
    rot = generationIn(await write(writer, [entry]), session.text)
  } catch (failure) {
    return afterFailure(writer, sessionKeys, failure)
  }
  if (rot === null) return null
  const claims = { ...sessionKeys.claims, rot }
  try {
    // If two requests rotate at once, the later write wins, and the earlier token is already replaced. A
    // session that was closed meanwhile, by a sign-in over it, has no next token.
    return generationIn(await findTwice(writer, sessionKeys), session.text) === rot
      ? { claims }
      : null
  } catch (failure) {
    return { claims, failure }
  }
}

/** How long the store may take to carry out a write that was abandoned. */
const LATEST_WRITE = MINUTE

/**
 * Handles a write of which it is unknown whether it was carried out, or will be: if it was, the tokens of the session
 * end in a moment, and the browser must have the next one by then. One of a generation that is still to come is valid
 * either way.
 */
async function afterFailure(
  { log, poller, settings }: RevocationWriter,
  { claims, session }: RevocationKeys,
  failure: unknown,
): Promise<RotatedClaims | null> {
  const key = session?.text ?? ''
  const { rot: before = 0 } = claims
  const upcoming = Math.max(poller.storeTime(settings.now()) + LATEST_WRITE, before + 1)
  try {
    const found = await log.find(keysOf(session))
    if (found.length === 0) return { claims: { ...claims, rot: upcoming }, failure }
    const rot = generationIn(found, key)
    if (rot === null) return null
    return rot > before
      ? { claims: { ...claims, rot } }
      : { claims: { ...claims, rot: upcoming }, failure }
  } catch {
    return { claims: { ...claims, rot: upcoming }, failure }
  }
}

/** The entry that ends the tokens which a session has. */
function nextGeneration(
  { poller, settings, latest }: RevocationWriter,
  { claims: { rot = 0 } }: RevocationKeys,
  key: string,
): NewRevocation {
  const entry = { key, until: latest.expiry(), isGeneration: true }
  // The generation of this token may be one that is still to come.
  const isUpcoming = rot >= poller.storeTime(settings.now())
  return isUpcoming ? { ...entry, generation: rot + 1 } : entry
}

/** One failure tells nothing yet, and the session would get no next token. */
async function findTwice(
  { log }: RevocationWriter,
  { session }: RevocationKeys,
): Promise<readonly RevocationEntry[]> {
  const keys = keysOf(session)
  try {
    return await log.find(keys)
  } catch {
    return log.find(keys)
  }
}

function keysOf(session: RevocationKeys['session']): string[] {
  return session ? [session.text, closedKey(session)] : []
}

/** The generation of a session among all that is found for its keys; null if it has ended or was closed. */
function generationIn(found: readonly RevocationEntry[], key: string): number | null {
  const isOver = found.some(entry => entry.key !== key || entry.generation == null)
  const generation = found.find(entry => entry.key === key)?.generation
  return isOver || generation == null ? null : Number(generation)
}
