import { briefKillSuite } from './kill-suite.ts'

// Every flow, and every state that a killed process can leave behind. The rest waits for a release.
briefKillSuite('SQLite', 'database')
