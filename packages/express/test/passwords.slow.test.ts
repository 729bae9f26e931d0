import { passwordsSuite } from './passwords-suite.ts'

// Before a release, axe looks at the pages as well.
passwordsSuite([])
