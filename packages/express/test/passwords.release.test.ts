import { passwordsSuite } from './passwords-suite.ts'

passwordsSuite(['light', 'dark'])
