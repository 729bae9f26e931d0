import { describeTable } from './table-suite.ts'

// Every row with every absence, each with one kind of session. All kinds are in `table.release.test.ts`.
describeTable('one')
