import { killedClaims } from './killed-claims-suite.ts'

killedClaims(1)
