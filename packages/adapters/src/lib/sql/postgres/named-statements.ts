import type { PostgresQueryResult, QueryResult } from 'kysely'
import { errorCode } from '../dialect.ts'
import type { Send } from '../open-database.ts'
import type { Row } from '../statements/statement.ts'

/** A statement for the driver `pg`. With a name, it is parsed and planned once per connection. */
interface DriverStatement {
  readonly name?: string
  readonly text: string
}

/** A connection that no one else uses until it is released. */
export interface Connection {
  query(statement: DriverStatement, values: readonly unknown[]): Promise<PostgresQueryResult<Row>>
  release(): void
}

// Each needs memory of the server on every connection. Far more than an application needs.
const MAX_NAMED = 200

// PostgreSQL's table of errors, Appendix A.
const NOT_THERE = '26000'
const THERE_ALREADY = '42P05'
/** Also the error for a statement whose tables have changed since it was prepared. */
const NOT_SUPPORTED = '0A000'

/**
 * Sends statements under names, so that the database prepares each of them once. One that is
 * refused because of its name is sent again without: outside a transaction it had no effect.
 */
export function sendNamed(connect: () => Promise<Connection>): Send {
  const named = new Map<string, DriverStatement>()
  let isNaming = true

  /** The statement under a name, or without one if names are not used. */
  async function choose(sql: string): Promise<DriverStatement> {
    if (!isNaming || named.size >= MAX_NAMED) return { text: sql }
    const statement = await nameIt(sql)
    named.set(sql, statement)
    return statement
  }

  async function sendAgain(
    connection: Connection,
    rejected: DriverStatement,
    sql: string,
    values: readonly unknown[],
    error: unknown,
  ) {
    const code = errorCode(error)
    const isNameError = code === NOT_THERE || code === THERE_ALREADY || code === NOT_SUPPORTED
    if (!rejected.name || !isNameError) throw error
    const result = await connection.query({ text: sql }, values)
    // It succeeded, so the name was the cause.
    if (code === NOT_SUPPORTED) await rename(rejected, sql)
    else stopNaming(code)
    return result
  }

  /** Has a statement prepared again, on every connection that uses it from now on. */
  async function rename(rejected: DriverStatement, sql: string) {
    // The text changes too: a pooler that caches statements identifies them by their texts.
    const renamed = await nameIt(`${sql} /* ${crypto.randomUUID()} */`)
    if (named.get(sql) === rejected) named.set(sql, renamed)
  }

  function stopNaming(code: string) {
    if (!isNaming) return
    isNaming = false
    named.clear()
    globalThis.process?.emitWarning?.(
      `the database forgets prepared statements (${code}), as happens behind a pooler such as PgBouncer in transaction mode. They are no longer used. If this is expected, pass preparedStatements: false to PostgresAdapter.`,
      { type: 'SiteAuthWarning', code: 'SITEAUTH_PREPARED_STATEMENTS' },
    )
  }

  return async ({ sql }, values) => {
    const connection = await connect()
    try {
      const statement = named.get(sql) ?? (await choose(sql))
      try {
        return toResult(await connection.query(statement, values))
      } catch (error) {
        return toResult(await sendAgain(connection, statement, sql, values, error))
      }
    } finally {
      connection.release()
    }
  }
}

/**
 * Names a statement by its text, so that other users of the connection cannot have the same name for
 * another.
 */
async function nameIt(text: string): Promise<DriverStatement> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  // A name has at most 63 letters.
  const bytes = new Uint8Array(digest, 0, 16)
  const hash = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
  const statement: DriverStatement = { name: `siteauth_${hash}`, text }
  // The driver copies own members of a statement each time, but not inherited ones.
  return Object.create(statement)
}

function toResult({ command, rowCount, rows }: PostgresQueryResult<Row>): QueryResult<Row> {
  return command === 'SELECT' ? { rows } : { rows, numAffectedRows: BigInt(rowCount ?? 0) }
}
