import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { attachedSuite } from './attached-suite.ts'

// The second interruption comes before the same call as the first, or the next. All others wait for a release, with the other
// stores.
attachedSuite(['database', 'jwt'], async () => ({ adapter: MemoryAdapter(), close: () => {} }), 1)
