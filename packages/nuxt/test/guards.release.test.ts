import { attackH3 } from './guards-suite.ts'

attackH3('all')
