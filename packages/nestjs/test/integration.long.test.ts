import { platformSuite } from './platform-suite.ts'

platformSuite('Express')
