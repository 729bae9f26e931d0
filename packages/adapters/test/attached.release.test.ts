import { describe } from 'vitest'
import { attachedSuite } from '../../core/test/accounts/attached-suite.ts'
import { MemoryAdapter } from '../src/memory.ts'
import { SqliteAdapter } from '../src/sqlite.ts'
import { attachedToServersSuite } from './attached-to-servers-suite.ts'

// Every pair of interruptions.
attachedToServersSuite()

describe('SQLite', () => {
  attachedSuite(['database', 'jwt'], async () => {
    const adapter = SqliteAdapter({ file: ':memory:' })
    return { adapter, close: () => adapter.close() }
  })
})

describe('memory', () => {
  attachedSuite(['database', 'jwt'], async () => ({ adapter: MemoryAdapter(), close: () => {} }))
})
