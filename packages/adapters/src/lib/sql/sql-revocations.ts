import type { Revocation, RevocationLog } from '@siteauth/core/adapters'
import { type Kysely, sql } from 'kysely'
import { checkEndings, isKey, KEPT_AFTER_MS } from '../revocations/endings.ts'
import type { SqlDialect } from './dialect.ts'
import type { Send } from './open-database.ts'
import { KEY } from './revocation-sql.ts'
import { createStatementCache, type Row } from './statements/statement.ts'

/** What a log of an SQL database is made of. */
export interface RevocationParts {
  readonly db: Kysely<unknown>
  readonly dialect: SqlDialect
  /** The name of its table. */
  readonly table: string
  readonly run: Send
  /** All of it or nothing, and once more where others were in the way. */
  readonly transact: <T>(act: (send: Send) => Promise<T>) => Promise<T>
  /** Does it once more where others were in the way. */
  readonly persist: <T>(act: () => Promise<T>) => Promise<T>
  readonly watch: RevocationLog['watch']
}

export interface SqlRevocations {
  readonly log: RevocationLog
  /** Removes some that are over. Returns how many. */
  readonly removeExpired: () => Promise<number>
}

/** So few that nobody waits for them. */
export const BATCH = 500
/** How often a process that ends something removes what is over, at most. */
const TIDY_EVERY_MS = 60_000

/** What was ended, as rows. */
export function createSqlRevocations(parts: RevocationParts): SqlRevocations {
  const { db, dialect, run, transact, persist, watch } = parts
  const { clock, maxCount, ...words } = dialect.revocations
  const table = sql.table(parts.table)
  const keep = createStatementCache(db)
  let tidied = Number.NEGATIVE_INFINITY

  const end = (count: number) => keep(`end ${shapeOf(count)}`, () => words.end(table, count))
  const find = (count: number) =>
    keep(`find ${shapeOf(count)}`, () => {
      return sql<Row>`select * from ${table} where ${words.isAmong(KEY, count)}`
    })
  // One text serves any number where there is no largest.
  const shapeOf = (count: number) => (maxCount === Number.POSITIVE_INFINITY ? '' : count)
  // One row at least, for the time.
  const since = (isAll: boolean) =>
    keep(`since ${isAll}`, () => {
      const isChanged = isAll ? sql`` : sql`and r.changed >= ${null}`
      return sql<Row>`select ${clock} as store_now, r.* from (select 1 as one) o
        left join ${table} r on r.expires > ${clock} ${isChanged}`
    })
  const remove = () =>
    keep('remove', () => {
      // A generation that is not in the past yet could be given out again.
      const isOver = sql`expires <= ${clock} - ${sql.lit(KEPT_AFTER_MS)}
        and (generation is null or generation < ${clock})`
      const limit = sql`order by expires limit ${sql.lit(BATCH)}`
      if (dialect.hasDeleteLimit) return sql<Row>`delete from ${table} where ${isOver} ${limit}`
      // Asked twice: it may be ended again between the two.
      return sql<Row>`delete from ${table} where ${KEY} in (
        select ${KEY} from ${table} where ${isOver} ${limit}) and ${isOver}`
    })

  async function removeExpired(): Promise<number> {
    const { numAffectedRows } = await persist(() => run(remove(), []))
    return Number(numAffectedRows ?? 0)
  }

  /**
   * Cleans up now and then, when something is written. If that fails, another process will do it.
   */
  async function tidy(): Promise<void> {
    const now = Date.now()
    if (now - tidied < TIDY_EVERY_MS) return
    tidied = now
    await removeExpired().catch(() => {})
  }

  /** One statement, or one more for the rows where the database does not answer them. */
  async function record(endings: ReturnType<typeof checkEndings>, send: Send): Promise<Row[]> {
    const rows: Row[] = []
    for (const part of partsOf(endings, maxCount)) {
      const ended = await send(end(part.length), words.endingValues(part))
      rows.push(...(ended.rows.length > 0 ? ended.rows : await read(keysOf(part), send)))
    }
    return rows
  }

  async function read(keys: readonly string[], send: Send): Promise<Row[]> {
    const rows: Row[] = []
    for (const part of partsOf(keys, maxCount)) {
      rows.push(...(await send(find(part.length), words.amongValues(part))).rows)
    }
    return rows
  }

  const log: RevocationLog = {
    async end(endings) {
      const checked = checkEndings(endings)
      if (checked.length === 0) return []
      // Of two who read the row later one could read what the other has written.
      const isOne = dialect.hasReturning || !checked.some(({ isGeneration }) => isGeneration)
      const isWhole = isOne && checked.length <= maxCount
      const rows = await (isWhole
        ? persist(() => record(checked, run))
        : transact(send => record(checked, send)))
      await tidy()
      return rows.map(revocationFrom)
    },
    async find(keys) {
      const asked = new Set(keys.filter(isKey))
      if (asked.size === 0) return []
      const found = (await read([...asked], run)).map(revocationFrom)
      // The column may be of someone's making, and its collation take others for the same.
      return found.filter(({ key }) => asked.has(key))
    },
    async since(time) {
      const { rows } = await run(since(time === null), time === null ? [] : [time.getTime()])
      const entries = rows.filter(row => row['revocationKey'] !== null)
      return {
        revocations: entries.map(revocationFrom),
        now: new Date(Number(rows[0]?.['store_now'])),
      }
    },
    ...(watch && { watch }),
  }
  return { log, removeExpired }
}

function revocationFrom(row: Row): Revocation {
  const { revocationKey: key, generation, expires } = row
  return {
    key: key instanceof Uint8Array ? new TextDecoder().decode(key) : String(key),
    generation: generation === null ? null : Number(generation),
    until: new Date(Number(expires)),
  }
}

function keysOf(endings: readonly { readonly key: string }[]): readonly string[] {
  return endings.map(({ key }) => key)
}

function* partsOf<T>(all: readonly T[], size: number): Iterable<readonly T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size)
}
