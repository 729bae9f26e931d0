import { schedulesSuite } from './schedules-suite.ts'

// A release repeats a thousand.
schedulesSuite(8)
