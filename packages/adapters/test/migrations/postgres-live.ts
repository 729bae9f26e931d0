import pg from 'pg'
import { onTestFinished, vi } from 'vitest'
import { PostgresAdapter } from '../../src/postgres.ts'
import { createPostgresDatabase } from '../servers.ts'
import { earlierIndexes } from './earlier-indexes.ts'

/** A database with the indexes of the version before and one user, with a session. */
export async function createEarlierDatabase(): Promise<string> {
  const url = await createPostgresDatabase()
  const adapter = PostgresAdapter({ url })
  await adapter.migrations.apply()
  await adapter.createUser({ id: 'ann', email: 'ann@example.com', emailVerified: null })
  await adapter.createSession(newSession())
  await adapter.close()
  const client = await openClient(url)
  for (const statement of earlierIndexes('PostgreSQL')) await client.query(statement)
  return url
}

export function newSession() {
  return {
    sessionToken: crypto.randomUUID(),
    userId: 'ann',
    expires: new Date(Date.now() + 86_400_000),
  }
}

export async function openClient(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end().catch(() => {}))
  return client
}

/** A transaction that has written to a table, and stays open: an index of the table is not complete before it ends. */
export async function holdTable(url: string, statement: string): Promise<() => Promise<unknown>> {
  const client = await openClient(url)
  await client.query('begin')
  await client.query(statement)
  return () => client.query('commit')
}

export const TOUCH_SESSIONS = `update sessions set expires = expires + interval '1 second'`

interface Builder {
  readonly pid: number
  /** The statement that it runs. */
  readonly query: string
}

/** Waits until a process of the server has begun a statement about an index, and waits for others. */
export function waitForBuilder(client: pg.Client): Promise<Builder> {
  return vi.waitFor(async () => {
    const { rows } = await client.query<Builder>(
      `select pid, query from pg_stat_activity
       where datname = current_database() and query ~ '^(create|drop) index' and wait_event_type = 'Lock'`,
    )
    const [builder] = rows
    if (!builder) throw new Error('no index is being built')
    return builder
  }, 30_000)
}

/** The index of sessions by user and expiry: whether it is complete, and a number that another one would not have. */
export async function newIndexOf(client: pg.Client) {
  const { rows } = await client.query<{ id: number; isValid: boolean }>(
    `select indexrelid::int as id, indisvalid as "isValid" from pg_index
     where indexrelid = to_regclass('"sessions_userId_expires_idx"')`,
  )
  return rows[0] ?? null
}
