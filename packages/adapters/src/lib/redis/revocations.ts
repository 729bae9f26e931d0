import type { RevocationEntry, RevocationLog } from '@siteauth/core/adapters'
import { CHUNK, splitInto } from '../in-chunks.ts'
import {
  type CheckedRevocation,
  checkRevocations,
  isKey,
  RETENTION_MS,
} from '../revocations/endings.ts'
import { decodeRevocation } from '../revocations/revocation-text.ts'
import type { RedisTables } from './open-tables.ts'
import { toPairs } from './records/encoding.ts'
import { textsFrom } from './redis-client.ts'
import { SCRIPTS } from './scripts.ts'

export interface RedisRevocations {
  readonly log: RevocationLog
  readonly removeExpired: () => Promise<number>
}

/** How many expired revocations are removed with each new one. */
const FEW = 20
/** About how many are read at once by a process that starts. */
const PAGE = 1000
/** How many are removed at once by `deleteExpired`. */
const BATCH = 500
/** How many revocations one script records: no other client of the server is served meanwhile. */
const MAX_RECORDED = 500

/**
 * The revocations in a hash, with two sorted sets beside it: by the time of the change and by expiry.
 *
 * One script records up to 500 completely or not at all, more by several of them, and it is as safe as anything in Redis: a
 * primary responds before its replicas have it, so a fail-over can lose the newest revocations, and a server
 * that evicts keys can lose them all. If that is not good enough, have Redis wait for its replicas
 * (`min-replicas-to-write`), write to disk (`appendonly yes`) and evict nothing (`noeviction`), or keep
 * the log in PostgreSQL. Times are those of the primary; a generation never falls behind the one before
 * it, also on a primary whose clock does.
 */
export function redisRevocations(
  { send, runScript, keys }: RedisTables,
  channel: string,
  watch: RevocationLog['watch'],
): RedisRevocations {
  const ends = keys.revocations('ends')
  const all = [ends, keys.revocations('changed'), keys.revocations('until')] as const

  const removeExpired = async () =>
    Number(await runScript(SCRIPTS.forgetRevocations, all, [RETENTION_MS, BATCH]))

  async function record(checked: readonly CheckedRevocation[]): Promise<RevocationEntry[]> {
    const args = checked.flatMap(({ key, until, isGeneration, generation }) => [
      key,
      until,
      isGeneration ? (generation ?? 'now') : '-',
    ])
    const lines = await runScript(SCRIPTS.revoke, all, [channel, RETENTION_MS, FEW, ...args])
    return textsFrom(lines).flatMap(revocationsFrom)
  }

  async function find(keysToFind: readonly string[]): Promise<RevocationEntry[]> {
    const values = await send('hmget', ends, ...keysToFind)
    return toArray(values).flatMap((value, at) => {
      return value === null ? [] : revocationsFrom(`${keysToFind[at]} ${value}`)
    })
  }

  const log: RevocationLog = {
    async end(requested) {
      const checked = checkRevocations(requested)
      let entries: readonly RevocationEntry[] = []
      for (const part of splitInto(checked, MAX_RECORDED))
        entries = entries.concat(await record(part))
      return entries
    },
    async find(keysToFind) {
      const valid = [...new Set(keysToFind.filter(isKey))]
      let entries: readonly RevocationEntry[] = []
      for (const part of splitInto(valid, CHUNK)) entries = entries.concat(await find(part))
      return entries
    },
    async page(cursor) {
      // Commands that are sent at once travel together. The time is read first, on the same server.
      const [now, reply] = await Promise.all([
        runScript(SCRIPTS.now, [ends], []),
        send('hscan', ends, cursor ?? '0', 'COUNT', PAGE),
      ])
      const [next, entries] = toArray(reply)
      return {
        revocations: linesOf(entries).flatMap(revocationsFrom),
        now: new Date(Number(now)),
        next: String(next) === '0' ? null : String(next),
      }
    },
    async since(time) {
      if (time !== null) {
        const [now, ...texts] = textsFrom(
          await runScript(SCRIPTS.revokedSince, all, [time.getTime()]),
        )
        return currentRevocations(Number(now), texts)
      }
      // Commands that are sent at once travel together. The time is read first, on the same server.
      const [now, entries] = await Promise.all([
        runScript(SCRIPTS.now, [ends], []),
        send('hgetall', ends),
      ])
      return currentRevocations(Number(now), linesOf(entries))
    },
    ...(watch && { watch }),
  }
  return { log, removeExpired }
}

/** Reads the revocations in a text, one on each line. */
export function revocationsFrom(text: string): readonly RevocationEntry[] {
  return text.split('\n').flatMap(line => decodeRevocation(line) ?? [])
}

function currentRevocations(now: number, texts: readonly string[]) {
  const isLeft = ({ until }: RevocationEntry) => until.getTime() > now
  return { revocations: texts.flatMap(revocationsFrom).filter(isLeft), now: new Date(now) }
}

/** The fields of the hash, each as the text of a revocation. */
function linesOf(entries: unknown): readonly string[] {
  return [...toPairs(entries)].map(([key, value]) => `${key} ${value}`)
}

function toArray(reply: unknown): readonly unknown[] {
  return Array.isArray(reply) ? reply : []
}
