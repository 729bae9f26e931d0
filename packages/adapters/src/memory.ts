export type { CompleteAdapter, SignedUp, SignUp } from './lib/complete-adapter.ts'
export { MemoryAdapter } from './lib/memory/memory-adapter.ts'
