import { rowRacesSuite } from './row-races-suite.ts'

// Enough to see what was broken.
rowRacesSuite(10)
