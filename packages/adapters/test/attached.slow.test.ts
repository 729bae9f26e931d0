import { attachedToServersSuite } from './attached-to-servers-suite.ts'

// The second interruption comes at once, or before the next call. All others wait for a release.
attachedToServersSuite(1)
