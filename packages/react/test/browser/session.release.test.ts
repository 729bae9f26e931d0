import { sessionSuite } from './session-suite.ts'

sessionSuite({ react: 18, strategy: 'database' })
