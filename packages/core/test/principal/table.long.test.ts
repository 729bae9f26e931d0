import { describeTable } from './table-suite.ts'

// Half of the cells, and every row and every absence among them. The whole table is in `table.release.test.ts`.
describeTable('half')
