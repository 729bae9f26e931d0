import { killedResets } from './killed-resets-suite.ts'

killedResets(Number.POSITIVE_INFINITY)
