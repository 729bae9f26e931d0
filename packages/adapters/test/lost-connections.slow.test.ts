import mysql from 'mysql2'
import pg from 'pg'
import { describe, expect, it, vi } from 'vitest'
import { MysqlAdapter } from '../src/mysql.ts'
import { PostgresAdapter } from '../src/postgres.ts'
import { createMysqlDatabase, createPostgresDatabase, MYSQL_URL, POSTGRES_URL } from './servers.ts'

describe.skipIf(!POSTGRES_URL)('a pool of PostgreSQL that loses its server', () => {
  it('is heard once by all adapters, and by the application as before', async () => {
    const connectionString = await createPostgresDatabase()
    const pool = new pg.Pool({ connectionString })
    const adapters = Array.from({ length: 12 }, () => PostgresAdapter({ pool }))
    expect(pool.listenerCount('error')).toBe(1)
    await Promise.all(adapters.map(({ migrations }) => migrations.plan()))
    const firstError = new Promise<Error>(resolve => pool.once('error', resolve))

    const admin = new pg.Client({ connectionString })
    await admin.connect()
    await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`,
    )
    await admin.end()

    expect((await firstError).message).toMatch(/terminating connection/)
    await vi.waitFor(() => expect(pool.totalCount, 'connections not yet known as lost').toBe(0))
    await adapters[0]?.migrations.apply()
    expect(await adapters[1]?.getUser(crypto.randomUUID())).toBeNull()
    await pool.end()
  })
})

describe.skipIf(!MYSQL_URL)('a connection of MySQL that is reset after each use', () => {
  it('is heard once, however often it is used', async () => {
    const uri = await createMysqlDatabase()
    const pool = mysql.createPool({ uri, connectionLimit: 1, resetOnRelease: true })
    const adapter = MysqlAdapter({ pool })
    await adapter.migrations.apply()
    const connection = await pool.promise().getConnection()
    const heard = () => connection.connection.listenerCount('error')
    connection.release()
    const before = heard()
    for (let time = 0; time < 5; time++) await adapter.getUser(crypto.randomUUID())
    expect(heard()).toBe(before)
    await pool.promise().end()
  })
})
