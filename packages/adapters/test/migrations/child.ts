import { createInterface } from 'node:readline'
import { openSqlAdapter } from './databases.ts'

// Migrates each of the places that it is told, at that moment, so that several do so at once.
const [kind = ''] = process.argv.slice(2)
for await (const place of createInterface({ input: process.stdin })) {
  const adapter = openSqlAdapter(kind, place)
  await adapter.migrations.apply()
  await adapter.close()
  process.stdout.write('done\n')
}
