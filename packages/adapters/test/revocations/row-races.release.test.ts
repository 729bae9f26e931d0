import { rowRacesSuite } from './row-races-suite.ts'

rowRacesSuite(500)
