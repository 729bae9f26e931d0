import { describeTable } from './table-suite.ts'

describeTable('all')
