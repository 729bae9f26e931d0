import { attachedSuite } from '../../core/test/accounts/attached-suite.ts'
import { SqliteAdapter } from '../src/sqlite.ts'

// The second interruption comes at once, or before the next call. All others wait for a release.
attachedSuite(
  ['database', 'jwt'],
  async () => {
    const adapter = SqliteAdapter({ file: ':memory:' })
    return { adapter, close: () => adapter.close() }
  },
  1,
)
