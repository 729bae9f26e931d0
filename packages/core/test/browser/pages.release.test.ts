import { pagesSuite } from './pages-suite.ts'

pagesSuite('accessibility')
