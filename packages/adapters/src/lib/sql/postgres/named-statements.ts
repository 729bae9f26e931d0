import type { PostgresQueryResult, QueryResult } from 'kysely'
import { codeOf } from '../dialect.ts'
import type { Send } from '../open-database.ts'
import type { Row } from '../statements/statement.ts'

/** What the driver `pg` takes. One with a name is parsed and planned once per connection. */
interface DriverStatement {
  readonly name?: string
  readonly text: string
}

/** A connection that is ours until it is released. */
export interface Connection {
  query(statement: DriverStatement, values: readonly unknown[]): Promise<PostgresQueryResult<Row>>
  release(): void
}

// Each takes memory of the server on every connection. Far more than an application makes.
const MAX_NAMED = 200

// PostgreSQL's table of errors, Appendix A.
const NOT_THERE = '26000'
const THERE_ALREADY = '42P05'
/** Also said of a statement whose tables have other columns than when it was prepared. */
const NOT_SUPPORTED = '0A000'

/**
 * Sends statements under names, so that the database prepares each of them once. One that is
 * refused because of its name is sent again without: outside a transaction it had no effect.
 */
export function sendNamed(connect: () => Promise<Connection>): Send {
  const named = new Map<string, DriverStatement>()
  let isNaming = true

  /** The statement under a name, or as it is where names are of no use. */
  async function choose(sql: string): Promise<DriverStatement> {
    if (!isNaming || named.size >= MAX_NAMED) return { text: sql }
    const statement = await nameIt(sql)
    named.set(sql, statement)
    return statement
  }

  async function sendAgain(
    connection: Connection,
    refused: DriverStatement,
    sql: string,
    values: readonly unknown[],
    error: unknown,
  ) {
    const code = codeOf(error)
    const isRefused = code === NOT_THERE || code === THERE_ALREADY || code === NOT_SUPPORTED
    if (!refused.name || !isRefused) throw error
    const answer = await connection.query({ text: sql }, values)
    // It went through: the name was to blame.
    if (code === NOT_SUPPORTED) await rename(refused, sql)
    else stopNaming(code)
    return answer
  }

  /** Has a statement prepared again, on every connection that is asked for it from now on. */
  async function rename(refused: DriverStatement, sql: string) {
    // Another text as well: a pooler that keeps statements tells them apart by their texts.
    const renamed = await nameIt(`${sql} /* ${crypto.randomUUID()} */`)
    if (named.get(sql) === refused) named.set(sql, renamed)
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
        return resultOf(await connection.query(statement, values))
      } catch (error) {
        return resultOf(await sendAgain(connection, statement, sql, values, error))
      }
    } finally {
      connection.release()
    }
  }
}

/** The statement under a name that no other text can have, whoever else uses the connection. */
async function nameIt(text: string): Promise<DriverStatement> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  // A name has at most 63 letters.
  const bytes = new Uint8Array(digest, 0, 16)
  const hash = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
  const statement: DriverStatement = { name: `siteauth_${hash}`, text }
  // The driver copies all members of what it is given, each time, but those that are inherited.
  return Object.create(statement)
}

function resultOf({ command, rowCount, rows }: PostgresQueryResult<Row>): QueryResult<Row> {
  return command === 'SELECT' ? { rows } : { rows, numAffectedRows: BigInt(rowCount ?? 0) }
}
