import { describeTable } from './table-suite.ts'

// Before each call of the store, one of the revocations. All of them are in `table.release.test.ts`.
describeTable('one')
