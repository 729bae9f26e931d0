import { versionSuite } from './version-suite.ts'

// All attacks are sent to the application in conformance/, before a release.
versionSuite(5, 'sample')
