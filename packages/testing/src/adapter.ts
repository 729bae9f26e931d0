export type { AdapterSuiteOptions } from './lib/adapter-suite.ts'
export { adapterSuite } from './lib/adapter-suite.ts'
