import type { MigrationRules } from '../schema/migration-rules.ts'
import { whileWriting } from './write-transaction.ts'

const FOR_A_MOMENT = 'blocks writes to the file for a moment'

export const SQLITE_MIGRATIONS: MigrationRules = {
  online: { keyword: '', options: '' },
  buildsOnline: false,
  locks: {
    createTable: () => FOR_A_MOMENT,
    createFirstIndex: FOR_A_MOMENT,
    addColumn: () => FOR_A_MOMENT,
    createIndex: () => 'blocks writes to the file, and this process, while the index is built',
    dropIndex: () => FOR_A_MOMENT,
  },
  dropIndex: index => `drop index if exists ${index}`,
  takeSteps: (db, { findNext, execute }) =>
    whileWriting(db, async connection => {
      const steps = await findNext(connection)
      for (const step of steps) await execute(step, connection)
      return steps
    }),
  // A file that is locked is waited for as with any other statement.
  isLockTimeout: () => false,
}
