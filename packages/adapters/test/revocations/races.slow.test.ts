import { racesSuite } from './races-suite.ts'

// Enough to see what was broken.
racesSuite(10)
