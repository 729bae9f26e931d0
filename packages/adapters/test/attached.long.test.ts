import { attachedSuite } from '../../core/test/accounts/attached-suite.ts'
import { SqliteAdapter } from '../src/sqlite.ts'

attachedSuite(['database', 'jwt'], async () => {
  const adapter = SqliteAdapter({ file: ':memory:' })
  return { adapter, close: () => adapter.close() }
})
