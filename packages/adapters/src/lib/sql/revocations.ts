import type { RevocationEntry, RevocationLog } from '@siteauth/core/adapters'
import { CHUNK, splitInto } from '../in-chunks.ts'
import {
  type CheckedRevocation,
  checkRevocations,
  isKey,
} from '../revocations/check-revocations.ts'
import type { Upkeep } from './expiry/upkeep.ts'
import type { Send } from './open-database.ts'
import type { SqlTables } from './open-tables.ts'
import {
  type RevocationStatements,
  revocationStatements,
} from './statements/revocation-statements.ts'
import type { Row } from './statements/statement.ts'

export interface SqlRevocations {
  readonly log: RevocationLog
  /** The entries of these keys, as a transaction sees them. */
  readonly find: (keys: readonly string[], send: Send) => Promise<readonly RevocationEntry[]>
}

/** So few that a process which reads them is not kept from anything else for long. */
const PAGE = 1000

export function sqlRevocations(
  tables: SqlTables,
  upkeep: Upkeep,
  watch: RevocationLog['watch'],
): SqlRevocations {
  const { database, dialect, names } = tables
  const statements = revocationStatements(database.db, dialect, names.revocations)
  const { record, read } = revocationRows(dialect.revocations, statements)

  const run: Send = (statement, values) =>
    tables.withTable('revocations', () => tables.run(statement, values))

  async function find(keys: readonly string[], send: Send): Promise<readonly RevocationEntry[]> {
    const valid = new Set(keys.filter(isKey))
    if (valid.size === 0) return []
    const found = (await read([...valid], send)).map(revocationFrom)
    // If the application made the column, its collation may consider other keys equal.
    return found.filter(({ key }) => valid.has(key))
  }

  const log: RevocationLog = {
    async end(requested) {
      const checked = checkRevocations(requested)
      if (checked.length === 0) return []
      // If two read the row afterwards, one could read what the other has written.
      const isOne = dialect.hasReturning || !checked.some(({ isGeneration }) => isGeneration)
      const isWhole = isOne && checked.length <= CHUNK
      const rows = await (isWhole
        ? record(checked, run)
        : tables.withTable('revocations', () => tables.transact(send => record(checked, send))))
      await upkeep.afterAdding('revocations')
      return rows.map(revocationFrom)
    },
    find: keys => find(keys, run),
    async page(cursor) {
      const { rows } = await run(statements.page(PAGE), [cursor ?? ''])
      const revocations = rows.filter(row => row['revocationKey'] !== null).map(revocationFrom)
      return {
        revocations,
        now: new Date(Number(rows[0]?.['store_now'])),
        next: revocations.length < PAGE ? null : (revocations.at(-1)?.key ?? null),
      }
    },
    async since(time, cursor) {
      const [, changed, key = ''] = /^(\d+) (.+)$/.exec(cursor ?? '') ?? []
      const from = Number(changed ?? time?.getTime() ?? 0)
      const { rows } = await run(statements.since(PAGE), [from, from, key])
      const entries = rows.filter(row => row['revocationKey'] !== null)
      const revocations = entries.map(revocationFrom)
      const last = entries.length < PAGE ? undefined : revocations.at(-1)
      return {
        revocations,
        now: new Date(Number(rows[0]?.['store_now'])),
        next: last ? `${rows.at(-1)?.['changed']} ${last.key}` : null,
      }
    },
    ...(watch && { watch }),
  }
  return { log, find }
}

/** Writes and reads any number of rows, with as many statements as their number needs. */
function revocationRows(
  { revocationValues, amongValues }: SqlTables['dialect']['revocations'],
  statements: RevocationStatements,
) {
  async function read(keys: readonly string[], send: Send): Promise<Row[]> {
    let rows: Row[] = []
    for (const part of splitInto(keys, CHUNK)) {
      rows = rows.concat((await send(statements.find(part.length), amongValues(part))).rows)
    }
    return rows
  }

  /** Reads the rows with a second statement where the database does not return them. */
  async function record(requested: readonly CheckedRevocation[], send: Send): Promise<Row[]> {
    let rows: Row[] = []
    for (const part of splitInto(requested, CHUNK)) {
      const written = await send(statements.end(part.length), revocationValues(part))
      const keys = part.map(({ key }) => key)
      rows = rows.concat(written.rows.length > 0 ? written.rows : await read(keys, send))
    }
    return rows
  }

  return { read, record }
}

function revocationFrom(row: Row): RevocationEntry {
  const { revocationKey: key, generation, expires } = row
  return {
    key: key instanceof Uint8Array ? new TextDecoder().decode(key) : String(key),
    generation: generation === null ? null : Number(generation),
    until: new Date(Number(expires)),
  }
}
