import { sessionSuite } from './session-suite.ts'

sessionSuite({ react: 19, strategy: 'jwt' })
