import { once } from 'node:events'
import { createClient } from '@redis/client'
import type { RevocationLog } from '@siteauth/core/adapters'
import { Redis } from 'ioredis'
import pg from 'pg'
import { MysqlAdapter } from '../../src/mysql.ts'
import { PostgresAdapter } from '../../src/postgres.ts'
import { RedisAdapter } from '../../src/redis.ts'
import { SqliteAdapter } from '../../src/sqlite.ts'

const [act = '', ...words] = process.argv.slice(2)
if (act === 'watch') await watch()
else await endGenerations()

/** Ends one key again and again in each of the stores, and writes the generations that it received. */
async function endGenerations() {
  const stores = await Promise.all(
    words.map(async word => {
      const [kind = '', place = ''] = word.split(' ')
      return { kind, ...(await open(kind, place)) }
    }),
  )
  process.stdout.write('ready\n')
  // All processes begin at once.
  await once(process.stdin, 'data')
  process.stdin.destroy()
  const generations: Record<string, unknown[]> = {}
  for (const { kind, revocations, close } of stores) {
    const until = new Date(Date.now() + 60_000)
    const received: unknown[] = []
    for (let round = 0; round < 25; round++) {
      const [ended] = await revocations.end([{ key: 'u:1', until, isGeneration: true }])
      received.push(ended?.generation)
    }
    generations[kind] = received
    await close()
  }
  process.stdout.write(JSON.stringify(generations))
}

/** Watches, hears something, and closes what an application opens. What watches is left as it is. */
async function watch() {
  for (const word of words) {
    const [kind = '', place = ''] = word.split(' ')
    const { revocations, close } = await open(kind, place)
    const revocation = { key: 's:1', until: new Date(Date.now() + 60_000) }
    let onHeard = () => {}
    const heard = new Promise<void>(resolve => {
      onHeard = resolve
    })
    await revocations.watch?.(
      () => onHeard(),
      () => {},
    )
    await Promise.all([heard, revocations.end([revocation])])
    process.stdout.write(`heard ${kind}\n`)
    await close()
  }
}

async function open(
  kind: string,
  place: string,
): Promise<{ revocations: RevocationLog; close: () => unknown }> {
  switch (kind) {
    case 'PostgreSQL': {
      const pool = new pg.Pool({ connectionString: place })
      const adapter = PostgresAdapter({ pool })
      await adapter.migrations.apply()
      return { revocations: adapter.revocations, close: () => pool.end() }
    }
    case 'MySQL': {
      const adapter = MysqlAdapter({ url: place })
      await adapter.migrations.apply()
      return adapter
    }
    case 'SQLite':
      return SqliteAdapter({ file: place })
    case 'ioredis': {
      const client = new Redis(place)
      const { revocations } = RedisAdapter({ client, prefix: 'processes:' })
      return { revocations, close: () => client.disconnect() }
    }
    default: {
      const client = await createClient({ url: place }).connect()
      const { revocations } = RedisAdapter({ client, prefix: 'processes:' })
      return { revocations, close: () => client.destroy() }
    }
  }
}
