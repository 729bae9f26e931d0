import { killedClaims } from './killed-claims-suite.ts'

killedClaims(Number.POSITIVE_INFINITY)
