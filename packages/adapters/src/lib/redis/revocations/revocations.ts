import type { RevocationEntry, RevocationLog } from '@siteauth/core/adapters'
import { CHUNK, splitInto } from '../../in-chunks.ts'
import { checkRevocations, isKey, RETENTION_MS } from '../../revocations/check-revocations.ts'
import { decodeRevocation } from '../../revocations/revocation-text.ts'
import type { RedisTables } from '../open-tables.ts'
import { textsFrom } from '../redis-client.ts'
import { FORGET_REVOCATIONS, PAGE_OF_REVOCATIONS, REVOKE } from './revocation-scripts.ts'

export interface RedisRevocations {
  readonly log: RevocationLog
  readonly removeExpired: () => Promise<number>
}

/** How many more expired revocations are removed than are recorded at a time, so that they become fewer. */
const MORE = 20
/** So few that a process which reads them is not kept from anything else for long. */
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
  /** Whether it is known if the server may evict the log. */
  let isChecked = false

  const removeExpired = async () =>
    Number(await runScript(FORGET_REVOCATIONS, all, [RETENTION_MS, BATCH]))

  /** @param lines for each revocation its key, its end, and the lowest generation that it may get */
  async function record(lines: readonly RevocationLine[]): Promise<RevocationEntry[]> {
    let entries: RevocationEntry[] = []
    for (const part of splitInto(lines, MAX_RECORDED)) {
      const options = [channel, RETENTION_MS, part.length + MORE, crypto.randomUUID()]
      const recorded = await runScript(REVOKE, all, [...options, ...part.flat()])
      entries = entries.concat(textsFrom(recorded).flatMap(revocationsFrom))
    }
    return entries
  }

  async function find(keysToFind: readonly string[]): Promise<RevocationEntry[]> {
    const values = await send('hmget', ends, ...keysToFind)
    return toArray(values).flatMap((value, at) => {
      return value === null ? [] : revocationsFrom(`${keysToFind[at]} ${value}`)
    })
  }

  async function readPage(index: 2 | 3, from: number | 'now' | '-inf', cursor: string) {
    const args = [index, from, cursor, PAGE, Number(!isChecked)]
    const result = await runScript(PAGE_OF_REVOCATIONS, all, args)
    const [now, epoch, next, policy = '', ...texts] = textsFrom(result)
    if (!isChecked && policy !== '' && policy !== 'noeviction') warn(policy)
    isChecked = true
    return {
      revocations: texts.flatMap(revocationsFrom),
      now: new Date(Number(now)),
      next: next || null,
      epoch: epoch || null,
    }
  }

  const log: RevocationLog = {
    end: async requested =>
      record(
        checkRevocations(requested).map(({ key, until, isGeneration, generation }) => [
          key,
          until,
          isGeneration ? (generation ?? 'now') : '-',
        ]),
      ),
    async find(keysToFind) {
      const valid = [...new Set(keysToFind.filter(isKey))]
      let entries: readonly RevocationEntry[] = []
      for (const part of splitInto(valid, CHUNK)) entries = entries.concat(await find(part))
      return entries
    },
    page: async cursor => readPage(3, 'now', cursor ?? ''),
    async since(time, cursor = '') {
      const page = await readPage(2, time === null ? '-inf' : time.getTime(), cursor)
      const isLeft = ({ until }: RevocationEntry) => until.getTime() > page.now.getTime()
      return { ...page, revocations: page.revocations.filter(isLeft) }
    },
    restore: async entries =>
      record(
        entries.map(({ key, generation, until }) => [
          key,
          until.getTime(),
          generation === null ? '-' : `=${generation}`,
        ]),
      ),
    ...(watch && { watch }),
  }
  return { log, removeExpired }
}

/** A revocation as the script that records it needs it. */
type RevocationLine = readonly [key: string, until: number, lowest: number | string]

function warn(policy: string): void {
  globalThis.process?.emitWarning?.(
    `Redis evicts keys if its memory is full (maxmemory-policy is ${policy}), also the log of ended sessions: these would be valid again. Set maxmemory-policy to noeviction, or keep the log on a server of its own.`,
    { type: 'SiteAuthWarning', code: 'SITEAUTH_EVICTION' },
  )
}

/** Reads the revocations in a text, one on each line. */
export function revocationsFrom(text: string): readonly RevocationEntry[] {
  return text.split('\n').flatMap(line => decodeRevocation(line) ?? [])
}

function toArray(reply: unknown): readonly unknown[] {
  return Array.isArray(reply) ? reply : []
}
