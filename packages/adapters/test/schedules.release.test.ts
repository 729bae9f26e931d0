import { schedulesSuite } from './schedules-suite.ts'

schedulesSuite(1000)
