import { versionSuite } from './version-suite.ts'

// Most other tests of Express run with both versions.
versionSuite(4)
