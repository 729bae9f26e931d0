export type { CompleteAdapter, CreatedSignUp, NewSignUp } from './lib/complete-adapter.ts'
export { MemoryAdapter } from './lib/memory/memory-adapter.ts'
