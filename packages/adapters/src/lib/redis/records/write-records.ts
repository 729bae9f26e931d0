import type { RedisCommands, RunScript } from '../redis-client.ts'
import type { RecordId, RecordKind, RedisKeys } from '../redis-keys.ts'
import { CHANGED, SCRIPTS, VOID } from '../scripts.ts'
import { encodeValue } from './encoding.ts'
import { decodeLinked, encodeLinked, newLink } from './links.ts'
import type { Pointers } from './pointers.ts'

/** A record to write, with its name. */
interface NewRecord extends RecordId {
  readonly record: object
}

/** What has to be true when records are written, as the script checks it. */
export interface WriteCondition {
  /** The address of the user, encoded as it is stored, and whether it is proved. */
  readonly email: string
  readonly isVerified: boolean
  /** The session in the list of the user. */
  readonly session?: string | undefined
  /** No entry with that key in the hash `log` revokes everything, or has a higher generation. */
  readonly unrevoked?: readonly { readonly key: string; readonly generation: number }[]
  readonly log?: string
}

/** What became of records: all of them were written, or none. */
type WriteOutcome = 'written' | 'taken' | 'changed' | 'no user'

/** Writes records of a user together, unless a user has one of them already or the condition does not hold. */
export type WriteRecords = (
  userId: string,
  records: readonly NewRecord[],
  condition?: WriteCondition,
) => Promise<WriteOutcome>

/** How often records are written anew because a pointer was replaced before they were stored. */
const ATTEMPTS = 10

export function createWriteRecords(
  { runScript }: Pick<RedisCommands, 'runScript'>,
  keys: RedisKeys,
  pointers: Pointers,
): WriteRecords {
  /**
   * Whether the record that a pointer was made for exists. If not, it is never written any more: the caller replaces the
   * pointer, and whoever has made it may be about to write the record.
   */
  async function keepOrVoid({ kind, field }: RecordId, target: string): Promise<boolean> {
    const { link, rest: userId } = decodeLinked(target)
    const touched = [keys.owned(userId, kind), keys.void(userId, link)] as const
    return Boolean(await runScript(SCRIPTS.keepOrVoid, touched, [field, link]))
  }

  const claim = (id: RecordId, target: string) =>
    pointers.claim(keys.pointer(id.kind, id.field), target, other => keepOrVoid(id, other))

  /** Removes the pointers of records that were not written. */
  const release = (linked: readonly LinkedRecord[], userId: string) =>
    Promise.all(
      linked.map(({ kind, field, link }) =>
        pointers.release(keys.pointer(kind, field), encodeLinked(link, userId)),
      ),
    )

  return async (userId, records, condition) => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const linked: LinkedRecord[] = []
      for (const each of records) {
        const link = newLink()
        if (!(await claim(each, encodeLinked(link, userId)))) {
          await release(linked, userId)
          return 'taken'
        }
        linked.push({ ...each, link })
      }
      const outcome = await writeLinked(runScript, keys, userId, linked, condition)
      if (outcome === 1) return 'written'
      await release(linked, userId)
      if (outcome !== VOID) return outcome === CHANGED ? 'changed' : 'no user'
    }
    return 'taken'
  }
}

/** A record whose pointer exists. */
interface LinkedRecord extends NewRecord {
  readonly link: string
}

function writeLinked(
  runScript: RunScript,
  keys: RedisKeys,
  userId: string,
  records: readonly LinkedRecord[],
  { log, ...condition }: Partial<WriteCondition> = {},
): Promise<unknown> {
  const hashes = (['accounts', 'authenticators'] satisfies RecordKind[]).map(kind =>
    keys.owned(userId, kind),
  )
  const touched = [
    keys.user(userId),
    ...hashes,
    keys.owned(userId, 'sessions'),
    ...records.map(({ link }) => keys.void(userId, link)),
    ...(log === undefined ? [] : [log]),
  ] as const
  const texts = records.map(({ kind, field, link, record }) => {
    return { kind, field, text: encodeLinked(link, encodeValue(record)) }
  })
  const asked = JSON.stringify({ ...condition, records: texts })
  return runScript(SCRIPTS.writeRecords, touched, [asked])
}
