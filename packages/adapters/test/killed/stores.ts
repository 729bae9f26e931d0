import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Redis } from 'ioredis'
import {
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type SqliteDatabase,
  SqliteDialect,
} from 'kysely'
import mysql from 'mysql2'
import pg from 'pg'
import { DEFAULT_TABLE_NAMES } from '../../src/lib/sql/schema/tables.ts'
import { openSqlite } from '../../src/lib/sql/sqlite/open-sqlite.ts'
import type { CompleteAdapter } from '../../src/memory.ts'
import { MysqlAdapter } from '../../src/mysql.ts'
import { PostgresAdapter } from '../../src/postgres.ts'
import { RedisAdapter } from '../../src/redis.ts'
import { SqliteAdapter } from '../../src/sqlite.ts'
import { dumpKeys, dumpTables } from '../dump.ts'
import {
  createMysqlDatabase,
  createPostgresDatabase,
  MYSQL_URL,
  POSTGRES_URL,
  REDIS_URL,
} from '../servers.ts'
import { Life } from './life.ts'

/** A store whose users can be killed. */
export interface MortalStore {
  readonly isThere: boolean
  /** Makes an empty place, with its tables. Returns its name, by which other processes can open it as well. */
  create(): Promise<string>
  open(place: string): Promise<OpenPlace>
}

export interface OpenPlace {
  /** Of a process that lives for as long as the test. */
  readonly adapter: CompleteAdapter
  /** The name of the place, by which other processes can open it as it is now. */
  readonly name: string
  /**
   * Of another process, which can be killed.
   *
   * @param die what happens to it instead of the end of its connections
   */
  connect(die?: () => unknown): Promise<MortalAdapter>
  /** Removes everything but the tables. */
  empty(): Promise<unknown>
  /** Ends all leases, as they do by themselves half a minute after their holder has died. */
  endLeases(): Promise<unknown>
  /** Everything that is stored, each row or key as a text. */
  dump(): Promise<string[]>
  close(): unknown
}

export interface MortalAdapter {
  readonly adapter: CompleteAdapter
  readonly life: Life
  /** Ends its connections, if it still lives. */
  close(): unknown
}

/** A process that is dead does not notice that nothing is answered any more. */
const timeoutMilliseconds = 2 ** 31 - 1

const TABLES = Object.values(DEFAULT_TABLE_NAMES)

export const MORTAL_STORES = {
  SQLite: {
    isThere: true,
    create: async () => join(mkdtempSync(join(tmpdir(), 'siteauth-killed-')), 'auth.db'),
    open: openSqliteFile,
  },
  PostgreSQL: {
    isThere: POSTGRES_URL !== undefined,
    async create() {
      const url = await createPostgresDatabase()
      const adapter = PostgresAdapter({ url })
      await adapter.migrations.apply()
      await adapter.close()
      return url
    },
    open: openPostgres,
  },
  MariaDB: {
    isThere: MYSQL_URL !== undefined,
    async create() {
      const url = await createMysqlDatabase()
      const adapter = MysqlAdapter({ url })
      await adapter.migrations.apply()
      await adapter.close()
      return url
    },
    open: openMysql,
  },
  Redis: {
    isThere: REDIS_URL !== undefined,
    create: async () => `killed-${crypto.randomUUID()}:`,
    open: openRedis,
  },
} satisfies Readonly<Record<string, MortalStore>>
export type StoreName = keyof typeof MORTAL_STORES

async function openSqliteFile(file: string): Promise<OpenPlace> {
  const database = await openSqlite(file)
  // The tables are created at the first use.
  const adapter = SqliteAdapter({ dialect: new SqliteDialect({ database }) })
  await adapter.getUserByEmail('nobody')
  const query = async (text: string) => database.prepare(text).all([])
  const run = async (text: string) => database.prepare(text).run([])
  return {
    adapter,
    name: file,
    async connect(die) {
      const own = await openSqlite(file)
      const endConnection = () => {
        // `libsql` keeps its lock when it is closed.
        rollBack(own)
        own.close()
      }
      const life = new Life(die ?? endConnection)
      const dialect = mortalDialect(new SqliteDialect({ database: own }), life)
      const mortal = SqliteAdapter({ dialect, timeoutMilliseconds })
      // What it does once, it has done.
      await mortal.getUserByEmail('nobody')
      return { adapter: mortal, life, close: () => own.close() }
    },
    empty: () => inTurn(TABLES, table => run(`delete from ${table}`)),
    endLeases: () => run(END_LEASES),
    dump: () => dumpTables(query),
    close() {
      database.close()
      rmSync(dirname(file), { recursive: true })
    },
  }
}

function rollBack(database: SqliteDatabase): void {
  try {
    database.prepare('rollback').run([])
  } catch {
    // There is no transaction.
  }
}

/** Kysely sends statements to SQLite by itself, also those that begin and end transactions. */
function mortalDialect(dialect: SqliteDialect, life: Life): Dialect {
  const mortal = (connection: DatabaseConnection): DatabaseConnection => ({
    executeQuery: query => life.send(() => connection.executeQuery(query)),
    streamQuery: (...given) => connection.streamQuery(...given),
  })
  return {
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: db => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver(): Driver {
      const driver = dialect.createDriver()
      const own = new WeakMap<DatabaseConnection, DatabaseConnection>()
      return {
        init: () => driver.init(),
        async acquireConnection() {
          const connection = await driver.acquireConnection()
          const given = mortal(connection)
          own.set(given, connection)
          return given
        },
        beginTransaction: (connection, settings) => driver.beginTransaction(connection, settings),
        commitTransaction: connection => driver.commitTransaction(connection),
        rollbackTransaction: connection => driver.rollbackTransaction(connection),
        releaseConnection: connection =>
          driver.releaseConnection(own.get(connection) ?? connection),
        destroy: async () => {},
      }
    },
  }
}

const END_LEASES = 'update accounts set lease_until = 0 where lease_until is not null'

async function openPostgres(connectionString: string): Promise<OpenPlace> {
  const pool = new pg.Pool({ connectionString, max: 2 })
  return {
    adapter: PostgresAdapter({ pool }),
    name: connectionString,
    async connect(die) {
      const mortal = new pg.Pool({ connectionString, max: 4 })
      const clients: pg.PoolClient[] = []
      const endConnections = () => {
        // Sound: it is there, though not documented. `end` would wait for what is under way.
        for (const each of clients) (each as unknown as PgClient).connection.stream.destroy()
      }
      const life = new Life(die ?? endConnections)
      mortal.on('error', () => {})
      mortal.on('connect', client => {
        client.on('error', () => {})
        clients.push(client)
        // What waited for one that has ended is given another.
        if (life.isDead) return endConnections()
        const query = client.query.bind(client)
        // Sound: the same function, after something else was done. The adapter uses the promise.
        client.query = ((...args: Parameters<typeof query>) =>
          life.send(async () => query(...args))) as typeof client.query
      })
      const adapter = PostgresAdapter({ pool: mortal, timeoutMilliseconds })
      await adapter.getUserByEmail('nobody')
      return { adapter, life, close: () => mortal.end() }
    },
    empty: () => inTurn(TABLES, table => pool.query(`delete from ${table}`)),
    endLeases: () => pool.query(END_LEASES),
    dump: () => dumpTables(async text => (await pool.query(text)).rows),
    close: () => pool.end(),
  }
}

interface PgClient {
  readonly connection: { readonly stream: { destroy(): void } }
}

async function openMysql(uri: string): Promise<OpenPlace> {
  const pool = mysql.createPool({ uri, timezone: 'Z', connectionLimit: 2 })
  const query = async (text: string) => (await pool.promise().query(text))[0]
  return {
    adapter: MysqlAdapter({ pool }),
    name: uri,
    async connect(die) {
      const mortal = mysql.createPool({ uri, timezone: 'Z', connectionLimit: 4 })
      const connections: mysql.PoolConnection[] = []
      const endConnections = () => {
        for (const each of connections) each.destroy()
      }
      const life = new Life(die ?? endConnections)
      mortal.on('connection', connection => {
        connection.on('error', () => {})
        connections.push(connection)
        // As above.
        if (life.isDead) return endConnections()
        // Sound: the same functions, after something else was done. The adapter calls them with a callback at the end.
        const methods = connection as unknown as Record<string, Send>
        for (const name of ['query', 'execute']) {
          const send = methods[name]?.bind(connection)
          if (send) methods[name] = (...args) => sendMortally(life, send, args)
        }
      })
      const adapter = MysqlAdapter({ pool: mortal, timeoutMilliseconds })
      await adapter.getUserByEmail('nobody')
      return { adapter, life, close: () => mortal.promise().end() }
    },
    empty: () => inTurn(TABLES, table => query(`delete from ${table}`)),
    endLeases: () => query(END_LEASES),
    dump: () => dumpTables(async text => [(await query(text)) as unknown[]].flat()),
    close: () => pool.promise().end(),
  }
}

type Done = (error: unknown, result?: unknown) => void
type Send = (...args: [...given: unknown[], done: Done]) => unknown

function sendMortally(life: Life, send: Send, args: Parameters<Send>): void {
  const given = args.slice(0, -1)
  // Sound: as its type says.
  const done = args.at(-1) as Done
  const sent = life.send(
    () =>
      new Promise((resolve, reject) => {
        send(...given, (error, result) => (error ? reject(error) : resolve(result)))
      }),
  )
  sent.then(result => done(null, result), done)
}

async function openRedis(place: string): Promise<OpenPlace> {
  const client = new Redis(String(REDIS_URL))
  // Emptied by moving on: keys are many, and tables few.
  let round = 0
  const prefix = () => (round === 0 ? place : `${place}${round}:`)
  const adapterOf = (call: (command: string, ...args: string[]) => Promise<unknown>) =>
    RedisAdapter({ prefix: prefix(), client: { call }, timeoutMilliseconds })
  let adapter = adapterOf((...command) => client.call(...command))
  return {
    get adapter() {
      return adapter
    },
    get name() {
      return prefix()
    },
    async connect(die) {
      const mortal = new Redis(String(REDIS_URL))
      mortal.on('error', () => {})
      const life = new Life(die ?? (() => mortal.disconnect()))
      const own = adapterOf((...command) => life.send(() => mortal.call(...command)))
      await own.getUserByEmail('nobody')
      return { adapter: own, life, close: () => mortal.disconnect() }
    },
    async empty() {
      round++
      adapter = adapterOf((...command) => client.call(...command))
    },
    async endLeases() {
      const keys = (await client.keys(`${prefix()}*`)).filter(key => key.includes('lease:'))
      if (keys.length > 0) await client.del(...keys)
    },
    dump: () => dumpKeys(client, prefix()),
    close: () => client.disconnect(),
  }
}

async function inTurn<T>(all: readonly T[], act: (each: T) => Promise<unknown>): Promise<void> {
  for (const each of all) await act(each)
}
