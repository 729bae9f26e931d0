import { describeBytes } from './bytes-suite.ts'

describeBytes({ first: 0, step: 1 })
