import { describeBytes } from './bytes-suite.ts'

// Other bytes in each run, so that all have their turn. Every byte is in `bytes.release.test.ts`.
const STEP = 3
const first = Number(process.env['MODEL_SEED'] ?? Math.floor(Math.random() * STEP)) % STEP

describeBytes({ first, step: STEP })
