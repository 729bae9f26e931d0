import { demoSuite } from './demo-suite.ts'

demoSuite('Next.js')
