import mysql from 'mysql2/promise'
import { onTestFinished } from 'vitest'
import { MysqlAdapter } from '../../src/mysql.ts'
import { createMysqlDatabase } from '../servers.ts'
import { earlierIndexes } from './earlier-indexes.ts'

/** A database with the indexes of the version before and one user with that many sessions. */
export async function createEarlierMysql(rows: number) {
  const url = await createMysqlDatabase()
  const adapter = MysqlAdapter({ url })
  const client = await openMysqlClient(url)
  onTestFinished(() => adapter.close())
  await adapter.migrations.apply()
  await adapter.createUser({ id: 'ann', email: 'ann@example.com', emailVerified: null })
  for (const statement of earlierIndexes('MySQL')) await client.query(statement)
  await client.query(
    `insert into sessions (sessionToken, userId, expires)
     select concat('token ', seq), 'ann', now() + interval seq second from seq_1_to_${rows}`,
  )
  return { url, adapter, client }
}

export async function openMysqlClient(uri: string): Promise<mysql.Connection> {
  const client = await mysql.createConnection({ uri, timezone: 'Z' })
  onTestFinished(() => client.end())
  return client
}
