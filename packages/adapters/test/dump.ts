import type { Redis } from 'ioredis'
import { DEFAULT_TABLE_NAMES } from '../src/lib/sql/schema/tables.ts'

/** Every row of our tables as a text. */
export async function dumpTables(query: (text: string) => Promise<unknown[]>): Promise<string[]> {
  const rows: string[] = []
  for (const table of Object.values(DEFAULT_TABLE_NAMES)) {
    const found = await query(`select * from ${table}`)
    rows.push(...found.map(row => `${table} ${JSON.stringify(row, bytesAsText)}`).sort())
  }
  return rows
}

/** MySQL stores some keys as bytes, which JSON would show as numbers. */
function bytesAsText(_: string, value: unknown): unknown {
  const isBytes = typeof value === 'object' && value !== null && 'type' in value && 'data' in value
  return isBytes && value.type === 'Buffer' ? Buffer.from(value.data as number[]).toString() : value
}

/** Every key with that prefix, and what it has, as a text. */
export async function dumpKeys(client: Redis, prefix: string): Promise<string[]> {
  const keys = (await client.keys(`${prefix}*`)).sort()
  const read: Record<string, (key: string) => Promise<unknown>> = {
    string: key => client.get(key),
    hash: key => client.hgetall(key),
    zset: key => client.zrange(key, 0, -1),
  }
  return Promise.all(
    keys.map(async key => {
      const value = await read[await client.type(key)]?.(key)
      return `${decodeURIComponent(key)} ${JSON.stringify(value)}`
    }),
  )
}
