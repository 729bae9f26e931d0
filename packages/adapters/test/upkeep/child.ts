import { PostgresAdapter } from '../../src/postgres.ts'
import { SqliteAdapter } from '../../src/sqlite.ts'

// Removes what has expired, until it is killed.
const [store = '', place = ''] = process.argv.slice(2)

async function run(): Promise<void> {
  const adapter =
    store === 'SQLite' ? SqliteAdapter({ file: place }) : PostgresAdapter({ url: place })
  await adapter.deleteExpired()
  throw new Error('it was not killed')
}

// Not awaited: what a store loads may need this module, which is not there until it has ended.
void run()
