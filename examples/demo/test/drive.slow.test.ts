import { demoSuite } from './demo-suite.ts'

demoSuite('Express')
