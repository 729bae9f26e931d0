import { versionSuite } from './version-suite.ts'

versionSuite(5)
