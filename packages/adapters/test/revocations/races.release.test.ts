import { racesSuite } from './races-suite.ts'

racesSuite(1000)
