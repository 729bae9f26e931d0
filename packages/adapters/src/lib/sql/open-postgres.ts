import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import { type Connection, sendNamed } from './named-statements.ts'
import { type OpenDatabase, sendBy } from './open-database.ts'

/** For a pool that the application has. */
export function usePostgresPool(pool: PostgresPool, isPreparing: boolean): OpenDatabase {
  // One that can do no more than what Kysely needs may not know of names.
  const knowsNames = 'query' in pool
  return { ...open(() => pool.connect(), isPreparing && knowsNames), close: async () => {} }
}

/** Opens a pool of our own at its first use. */
export function openPostgresUrl(url: string, isPreparing: boolean): OpenDatabase {
  let opening: Promise<PostgresPool> | undefined
  let closing: Promise<void> | undefined
  const openPool = async () => {
    const { default: pg } = await import('pg')
    const pool = new pg.Pool({ connectionString: url })
    // A connection that is lost while it is idle is replaced. Unheard, this would end the process.
    pool.on('error', () => {})
    return pool
  }
  const connect = async () => {
    opening ??= openPool()
    return (await opening).connect()
  }
  return {
    ...open(connect, isPreparing),
    async close() {
      closing ??= opening?.then(pool => pool.end())
      await closing
    },
  }
}

function open(connect: () => Promise<PostgresPoolClient>, isPreparing: boolean) {
  const heard = new WeakSet<PostgresPoolClient>()
  const connectAndHear = async () => {
    const client: PostgresPoolClient & Partial<Emitter> = await connect()
    if (!heard.has(client)) {
      heard.add(client)
      // A statement that is lost with its connection says so. Unheard, this would end the process.
      client.on?.('error', () => {})
    }
    return client
  }
  const dialect = new PostgresDialect({ pool: { connect: connectAndHear, end: async () => {} } })
  const db = new Kysely<unknown>({ dialect })
  if (!isPreparing) return { db, send: sendBy(db) }
  // Sound: a client of `pg`, or of a pool that is used like it, takes a statement as an object.
  return { db, send: sendNamed(connectAndHear as () => Promise<PostgresPoolClient & Connection>) }
}

interface Emitter {
  on(event: 'error', listener: () => void): unknown
}
