import { Kysely, MysqlDialect, type MysqlPool, type MysqlPoolConnection, sql } from 'kysely'
import { catchClientErrors } from '../../catch-client-errors.ts'
import { withTimeout } from '../../with-timeout.ts'
import { type OpenDatabase, type Send, sendBy } from '../open-database.ts'

/** Uses a pool of the application. */
export function useMysqlPool(pool: MysqlPool, timeout: number): OpenDatabase {
  return { ...open(async () => pool, timeout), close: async () => {} }
}

/** Opens a pool of our own at its first use. */
export function openMysqlUrl(url: string, timeout: number): OpenDatabase {
  let opening: Promise<MysqlPool> | undefined
  const openPool = async () => {
    const { createPool } = await import('mysql2')
    return createPool({ uri: url, connectTimeout: timeout, enableKeepAlive: true })
  }
  const pool = () => {
    opening ??= openPool()
    return opening
  }
  return {
    ...open(pool, timeout),
    async close() {
      const opened = await opening
      opening = undefined
      if (opened) await new Promise<void>((resolve, reject) => opened.end(settle(resolve, reject)))
    },
  }
}

/**
 * For a Kysely or a dialect, which put values into the statement's text. That is only safe if
 * backslashes escape as usual, which is checked once.
 */
export function checkBackslashes(opened: OpenDatabase): OpenDatabase {
  let checked: Promise<void> | undefined
  const check = async () => {
    const { rows } = await sql<{ mode: string }>`select @@sql_mode as mode`.execute(opened.db)
    if (!/NO_BACKSLASH_ESCAPES/i.test(String(rows[0]?.mode))) return
    throw new Error(
      'the server has NO_BACKSLASH_ESCAPES in its sql_mode, which the driver of this Kysely ignores: pass url or pool to MysqlAdapter, or remove it from sql_mode',
    )
  }
  const send: Send = async (statement, values) => {
    checked ??= check()
    const attempt = checked
    await attempt.catch(error => {
      if (checked === attempt) checked = undefined
      throw error
    })
    return opened.send(statement, values)
  }
  return { ...opened, send }
}

function open(pool: () => Promise<MysqlPool>, timeout: number) {
  const db = createKysely(pool, timeout)
  return { db, migrationDb: createKysely(pool, null), send: sendBy(db) }
}

function createKysely(pool: () => Promise<MysqlPool>, timeout: number | null): Kysely<unknown> {
  const sessions = new WeakMap<DriverConnection, MysqlPoolConnection>()
  const connect = async () => {
    const opened = await pool()
    const connection = await new Promise<DriverConnection>((resolve, reject) => {
      const done = settle(resolve, reject)
      // Sound: documented to be a pool of `mysql2`, of which Kysely's type is a part.
      opened.getConnection((error, given) => done(error, given as unknown as DriverConnection))
    })
    const existing = sessions.get(connection)
    if (existing && !isReset(opened)) return existing
    await prepareSession(connection)
    const prepared = existing ?? preparing(connection, timeout)
    sessions.set(connection, prepared)
    return prepared
  }
  const discard = (late: MysqlPoolConnection) => late.release()
  const connectInTime =
    timeout === null ? connect : () => withTimeout(timeout, connect(), { discard })
  const end = (done: (error: unknown) => void) => done(null)
  return new Kysely<unknown>({
    dialect: new MysqlDialect({
      pool: {
        end,
        getConnection(done) {
          connectInTime().then(
            connection => done(null, connection),
            // Sound: Kysely looks at the error first, as with every callback of this kind.
            error => done(error, undefined as never),
          )
        },
      },
    }),
  })
}

type Done = (error: unknown, result: unknown) => void

/** A connection of `mysql2`, as far as it is used here. */
interface DriverConnection {
  execute(options: object, done: Done): unknown
  query(options: object, done: Done): unknown
  release(): void
  destroy(): void
  on(event: 'error', listener: () => void): unknown
}

/** Whether the pool resets a session to the server's settings after every use. */
function isReset(pool: MysqlPool & { config?: { resetOnRelease?: boolean } }): boolean {
  return pool.config?.resetOnRelease === true
}

/** Dates are in UTC: in a zone whose clock is put back, some hours of the year would be ambiguous. */
async function prepareSession(connection: DriverConnection): Promise<void> {
  catchClientErrors(connection)
  try {
    await new Promise<unknown>((resolve, reject) =>
      connection.query({ sql: "set time_zone = '+00:00'" }, settle(resolve, reject)),
    )
  } catch (error) {
    connection.release()
    throw error
  }
}

/**
 * A connection that sends values beside the statement, never in its text, and dates in UTC, whatever
 * options the application gave its driver.
 */
function preparing(connection: DriverConnection, timeout: number | null): MysqlPoolConnection {
  function send(text: string, parameters: readonly unknown[]): Promise<unknown> {
    const values = parameters.map(value => (value instanceof Date ? utcText(value) : value))
    const options = { sql: text, values, timezone: 'Z', supportBigNumbers: true }
    return new Promise((resolve, reject) => {
      const done = settle(resolve, reject)
      if (values.length > 0) connection.execute(options, done)
      else connection.query(options, done)
    })
  }
  function query(
    text: string,
    parameters: readonly unknown[],
    done?: (error: unknown, result: never) => void,
  ): never {
    const sent = send(text, parameters)
    // The next result on such a connection could belong to this statement.
    const onLate = () => connection.destroy()
    const outcome = timeout === null ? sent : withTimeout(timeout, sent, { onLate })
    outcome.then(
      // Sound: the result of `mysql2`, which is what Kysely expects.
      result => done?.(null, result as never),
      error => done?.(error, undefined as never),
    )
    // Sound: Kysely uses the return value only to stream, which the adapter never does.
    return undefined as never
  }
  return { query, release: () => connection.release() }
}

function utcText(date: Date): string {
  return date.toISOString().replace('T', ' ').replace('Z', '')
}

function settle<T>(resolve: (value: T) => void, reject: (error: unknown) => void) {
  return (error: unknown, value?: T) => {
    if (error) reject(error)
    // Sound: without an error there is a value, unless its type is void.
    else resolve(value as T)
  }
}
