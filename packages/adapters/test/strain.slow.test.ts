import { strainSuite } from './strain-suite.ts'

strainSuite('one')
