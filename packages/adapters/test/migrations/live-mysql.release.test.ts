import type { RowDataPacket } from 'mysql2/promise'
import { describe, expect, it, vi } from 'vitest'
import { MYSQL_URL } from '../servers.ts'
import { INDEX_STEPS } from './earlier-indexes.ts'
import { createEarlierMysql, openMysqlClient } from './mysql-live.ts'

const ROWS = 200_000

describe.skipIf(!MYSQL_URL)('migrations of MySQL tables in use', () => {
  it('do not block a writer while an index is built', async () => {
    const { url, adapter, client } = await createEarlierMysql(ROWS)
    const watcher = await openMysqlClient(url)
    const isBuilding = async () => {
      const [rows] = await watcher.query<RowDataPacket[]>(
        `select 1 from information_schema.processlist where db = database() and info like 'create index%'
         and state like 'alter%'`,
      )
      return rows.length > 0
    }
    let isDone = false
    const applying = adapter.migrations.apply().finally(() => {
      isDone = true
    })
    // The build was in progress before each of these and still is after it.
    let written = 0
    while (!isDone) {
      if (!(await isBuilding())) continue
      await client.query(
        'insert into sessions (sessionToken, userId, expires) values (uuid(), ?, now())',
        ['ann'],
      )
      if (await isBuilding()) written++
    }
    expect((await applying).map(({ description }) => description)).toEqual(INDEX_STEPS)
    expect(written).toBeGreaterThan(0)
    expect(await adapter.migrations.plan()).toEqual([])
    // The foreign key has an index still.
    await adapter.deleteUser('ann')
    const [left] = await client.query<RowDataPacket[]>('select 1 from sessions')
    expect(left).toEqual([])
  }, 120_000)

  it('let others use a table that they wait for', async () => {
    const { url, adapter, client } = await createEarlierMysql(1)
    const holder = await openMysqlClient(url)
    await holder.query('start transaction')
    await holder.query('select * from sessions')
    const applying = adapter.migrations.apply()
    await vi.waitFor(async () => {
      const [rows] = await client.query<RowDataPacket[]>(
        `select 1 from information_schema.processlist where db = database() and state like 'Waiting for table metadata%'`,
      )
      expect(rows).toHaveLength(1)
    }, 30_000)
    // Behind the step, which waits for the transaction, which is open until this statement has ended.
    await client.query('set session lock_wait_timeout = 60')
    await client.query('select * from sessions')
    await holder.query('commit')
    expect((await applying).map(({ description }) => description)).toEqual(INDEX_STEPS)
  }, 120_000)
})
