import { platformSuite } from './platform-suite.ts'

// All attacks are sent to the application in conformance/, before a release.
platformSuite('Express', 'sample')
