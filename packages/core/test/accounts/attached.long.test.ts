import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { attachedSuite } from './attached-suite.ts'

// The second interruption comes at most two calls after the first. All others wait for a release, with the other stores.
attachedSuite(['database', 'jwt'], async () => ({ adapter: MemoryAdapter(), close: () => {} }), 2)
