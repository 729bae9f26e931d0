import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { attachedSuite } from './attached-suite.ts'

attachedSuite(['database', 'jwt'], async () => ({ adapter: MemoryAdapter(), close: () => {} }))
