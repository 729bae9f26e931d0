import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@redis/client'
import { Redis } from 'ioredis'
import { Kysely, SqliteDialect, sql } from 'kysely'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { openSqlite } from '../../src/lib/sql/sqlite/open-sqlite.ts'
import type { CompleteAdapter } from '../../src/memory.ts'
import { MysqlAdapter } from '../../src/mysql.ts'
import { PostgresAdapter } from '../../src/postgres.ts'
import { RedisAdapter } from '../../src/redis.ts'
import { SqliteAdapter } from '../../src/sqlite.ts'
import { startPrivately } from './private-server.ts'
import { openProxy } from './proxy.ts'

/** What can happen to a store, in the order of the table. */
export const FAULTS = [
  'slow',
  'refused',
  'restarted',
  'killed mid-transaction',
  'full',
  'read-only',
  'locked',
] as const
export type FaultName = (typeof FAULTS)[number]

/** Lets something happen to a store, while that person signs up, and returns how to end it. */
type Fault = (person: string) => Promise<() => Promise<unknown>>

export interface FaultyStore {
  readonly adapter: CompleteAdapter
  /** Whether its driver queues what it could not send, and sends it later. */
  readonly canRepeat: boolean
  readonly faults: Readonly<Partial<Record<FaultName, Fault>>>
  readonly close: () => Promise<unknown>
}

/** So short that the table is soon written. */
const TIMEOUT = 700

const nothing = async () => {}

/** Each opens a store of its own, or returns null if its server cannot be started here. */
export const FAULTY_STORES: Readonly<Record<string, () => Promise<FaultyStore | null>>> = {
  PostgreSQL: openPostgres,
  MariaDB: openMariadb,
  'Redis, by ioredis': () => openRedis('ioredis'),
  'Redis, by node-redis': () => openRedis('node-redis'),
  SQLite: openSqliteFile,
}

async function openPostgres(): Promise<FaultyStore | null> {
  const server = await startPrivately('PostgreSQL')
  if (!server) return null
  const proxy = await openProxy(Number(server.url.port))
  const direct = async (...statements: readonly string[]) => {
    const client = new pg.Client({ connectionString: server.url.href })
    client.on('error', () => {})
    await client.connect()
    let rows: Record<string, unknown>[] = []
    for (const statement of statements) ({ rows } = await client.query(statement))
    return { rows, end: () => client.end() }
  }
  const execute = async (...statements: readonly string[]) => {
    const { rows, end } = await direct(...statements)
    await end()
    return rows
  }
  // The pool of an application that listens to nothing.
  const pool = new pg.Pool({ connectionString: through(server.url, proxy.port) })
  // What is said to be stored is to survive the end of the process.
  await execute('alter database postgres set synchronous_commit = on')
  const adapter = PostgresAdapter({ pool, timeoutMilliseconds: TIMEOUT })
  await adapter.migrations.apply()
  const OWN = "from pg_stat_activity where datname = 'postgres' and pid <> pg_backend_pid()"
  const end = `select pg_terminate_backend(pid) ${OWN}`
  return {
    adapter,
    canRepeat: false,
    faults: {
      // Two questions, and the statement that stores everything.
      ...proxyFaults(proxy, 3),
      async restarted() {
        const [row] = await execute('show data_directory')
        const file = join(String(row?.['data_directory']), 'postmaster.pid')
        await server.restart(Number(readFileSync(file, 'utf8').split('\n')[0]))
        await untilItWorks(() => execute('select 1'))
        return nothing
      },
      // As the server would say it.
      async full() {
        await execute(
          `create function full_disk() returns trigger language plpgsql as
            $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`,
          ...['users', 'sessions'].map(
            table =>
              `create trigger full_disk before insert or delete on ${table}
                for each row execute function full_disk()`,
          ),
        )
        return () => execute('drop function full_disk cascade')
      },
      async 'read-only'() {
        const set = (to: string) =>
          execute(`alter database postgres set default_transaction_read_only = ${to}`, end)
        await set('on')
        return () => execute('set default_transaction_read_only = off', OFF, end)
      },
      async locked() {
        const holder = await direct('begin', 'lock table users, sessions in access exclusive mode')
        return holder.end
      },
    },
    async close() {
      await pool.end()
      await proxy.close()
      await server.stop()
    },
  }
}

const OFF = 'alter database postgres set default_transaction_read_only = off'

async function openMariadb(): Promise<FaultyStore | null> {
  const server = await startPrivately('MariaDB')
  if (!server) return null
  const proxy = await openProxy(Number(server.url.port))
  const direct = async (...statements: readonly string[]) => {
    const connection = await mysql.createConnection({ uri: server.url.href })
    connection.on('error', () => {})
    let rows: unknown
    for (const statement of statements) [rows] = await connection.query(statement)
    // Sound: what a select returns, which is the last statement where somebody looks.
    return { rows: rows as Record<string, unknown>[], end: () => connection.end() }
  }
  const execute = async (...statements: readonly string[]) => {
    const { rows, end } = await direct(...statements)
    await end()
    return rows
  }
  // A user as applications have them: an administrator may write where nobody else may.
  await execute(
    'create user app',
    'grant all on siteauth.* to app',
    // What is said to be stored is to survive the end of the process.
    'set global innodb_flush_log_at_trx_commit = 1',
  )
  const url = new URL(through(server.url, proxy.port))
  url.username = 'app'
  const pool = mysql.createPool({ uri: url.href }).pool
  const adapter = MysqlAdapter({ pool, timeoutMilliseconds: TIMEOUT })
  await adapter.migrations.apply()
  return {
    adapter,
    canRepeat: false,
    faults: {
      // Two questions, the user, and then the account.
      ...proxyFaults(proxy, 4),
      async restarted() {
        const [row] = await execute('select @@pid_file as file')
        await server.restart(Number(readFileSync(String(row?.['file']), 'utf8')))
        await untilItWorks(() => execute('select 1'))
        return nothing
      },
      // As the server would say it.
      async full() {
        const triggers = ['insert on users', 'delete on sessions'].map((when, index) => {
          const [act, , table] = when.split(' ')
          return `create trigger full_${index} before ${act} on ${table} for each row
            signal sqlstate 'HY000' set mysql_errno = 1114, message_text = 'The table is full'`
        })
        await execute(...triggers)
        return () => execute('drop trigger full_0', 'drop trigger full_1')
      },
      async 'read-only'() {
        await execute('set global read_only = 1')
        return () => execute('set global read_only = 0')
      },
      async locked() {
        const holder = await direct('lock tables users write, sessions write')
        return holder.end
      },
    },
    async close() {
      await new Promise<void>(resolve => pool.end(() => resolve()))
      await proxy.close()
      await server.stop()
    },
  }
}

async function openRedis(driver: 'ioredis' | 'node-redis'): Promise<FaultyStore | null> {
  const server = await startPrivately('Redis')
  if (!server) return null
  const proxy = await openProxy(Number(server.url.port))
  const execute = async (...words: readonly [string, ...string[]]) => {
    const client = new Redis(server.url.href, { maxRetriesPerRequest: 0 })
    client.on('error', () => {})
    try {
      return await client.call(...words)
    } finally {
      client.disconnect()
    }
  }
  await execute('config', 'set', 'appendonly', 'yes')
  await execute('config', 'set', 'appendfsync', 'always')
  const url = through(server.url, proxy.port)
  const connected = await connectRedis(driver, url)
  const adapter = RedisAdapter({ client: connected.client, timeoutMilliseconds: TIMEOUT })
  return {
    adapter,
    canRepeat: true,
    faults: {
      // Two questions, the user, and then the account.
      ...proxyFaults(proxy, 4),
      async restarted() {
        const info = String(await execute('info', 'server'))
        // Sound: the documented reply, name and value.
        const [, folder = ''] = (await execute('config', 'get', 'dir')) as string[]
        const options = ['--port', server.url.port, '--dir', folder, '--appendonly', 'yes']
        await server.restart(Number(/process_id:(\d+)/.exec(info)?.[1]), [
          ...options,
          ...['--appendfsync', 'always', '--save', ''],
        ])
        await untilItWorks(() => execute('get', 'nothing'))
        return nothing
      },
      async full() {
        await execute('config', 'set', 'maxmemory', '1')
        return () => execute('config', 'set', 'maxmemory', '0')
      },
      // As a replica that was taken for its primary. It keeps what it has: nobody answers at that port.
      async 'read-only'() {
        await execute('config', 'set', 'replica-serve-stale-data', 'yes')
        await execute('replicaof', '127.0.0.1', '1')
        return () => execute('replicaof', 'no', 'one')
      },
      async locked() {
        // Until then it answers nobody, not even who would have it go on.
        await execute('client', 'pause', String(4 * TIMEOUT), 'ALL')
        return () => untilItWorks(() => execute('get', 'nothing'))
      },
    },
    async close() {
      connected.end()
      await proxy.close()
      await server.stop()
    },
  }
}

async function connectRedis(driver: 'ioredis' | 'node-redis', url: string) {
  if (driver === 'ioredis') {
    const client = new Redis(url, { retryStrategy: () => 50 })
    client.on('error', () => {})
    return { client, end: () => client.disconnect() }
  }
  // Nobody listens to its errors, which would end the process.
  const client = await createClient({ url, socket: { reconnectStrategy: 50 } }).connect()
  return { client, end: () => client.destroy() }
}

async function openSqliteFile(): Promise<FaultyStore> {
  const folder = mkdtempSync(join(tmpdir(), 'siteauth-faults-'))
  const file = join(folder, 'auth.db')
  const database = await openSqlite(file, TIMEOUT)
  const kysely = new Kysely<unknown>({ dialect: new SqliteDialect({ database }) })
  const adapter = SqliteAdapter({ kysely, timeoutMilliseconds: TIMEOUT })
  await adapter.migrations.apply()
  const run = (text: string) => sql.raw(text).execute(kysely)
  return {
    adapter,
    canRepeat: false,
    faults: {
      async full() {
        await run(`create trigger full_users before insert on users
          begin select raise(abort, 'database or disk is full'); end`)
        await run(`create trigger full_sessions before delete on sessions
          begin select raise(abort, 'database or disk is full'); end`)
        return async () => {
          await run('drop trigger full_users')
          await run('drop trigger full_sessions')
        }
      },
      async 'read-only'() {
        await run('pragma query_only = on')
        return () => run('pragma query_only = off')
      },
      async locked() {
        const other = await openSqlite(file)
        other.prepare('begin immediate').run([])
        return async () => {
          other.prepare('rollback').run([])
          other.close()
        }
      },
    },
    async close() {
      await kysely.destroy()
      rmSync(folder, { recursive: true })
    },
  }
}

type Disturbed = Awaited<ReturnType<typeof openProxy>>

function proxyFaults(proxy: Disturbed, fatal: number): Partial<Record<FaultName, Fault>> {
  return {
    async slow() {
      proxy.silence()
      return proxy.heal
    },
    async refused() {
      await proxy.rejectConnections()
      return proxy.heal
    },
    async 'killed mid-transaction'(person) {
      proxy.cutAt(person, fatal)
      return proxy.heal
    },
  }
}

function through(server: URL, port: number): string {
  const url = new URL(server)
  url.port = String(port)
  return url.href
}

async function untilItWorks(act: () => Promise<unknown>): Promise<void> {
  const until = Date.now() + 30_000
  for (;;) {
    try {
      await act()
      return
    } catch (error) {
      if (Date.now() > until) throw error
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }
}
