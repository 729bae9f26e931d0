import { describeEndings } from './ended-with-its-session-suite.ts'

describeEndings(1)
