// Vitest cannot hand a test a duration and a seed from the command line.
//
// npm run model            lets people do anything in any order, for ten minutes
// npm run model -- 3600    for an hour
// npm run model -- 60 42   the same as another time, by its seed
import { spawnSync } from 'node:child_process'
import { ROOT } from './workspace.mjs'

const [seconds = '600', seed = ''] = process.argv.slice(2)
const { status } = spawnSync(
  'npx',
  [
    'vitest',
    'run',
    'packages/core/test/accounts/model.long.test.ts',
    'packages/core/test/devices/model.long.test.ts',
    'packages/core/test/devices/two-people.long.test.ts',
    'packages/core/test/schedules/schedules.long.test.ts',
    'packages/core/test/sessions/model.long.test.ts',
  ],
  {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, MODEL_SECONDS: seconds, ...(seed && { MODEL_SEED: seed }) },
  },
)
process.exit(status ?? 1)
