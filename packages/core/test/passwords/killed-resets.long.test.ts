import { killedResets } from './killed-resets-suite.ts'

killedResets(1)
