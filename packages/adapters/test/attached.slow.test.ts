import { attachedToServersSuite } from './attached-to-servers-suite.ts'

// Both interruptions come before the same call. All other pairs wait for a release.
attachedToServersSuite(0)
