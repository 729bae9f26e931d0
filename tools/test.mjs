import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { buildPackages, runChecks } from './check.mjs'
import { prepareServices } from './services.mjs'
import { ROOT } from './workspace.mjs'

const KINDS = { change: ['fast', 'long', 'authjs', 'slow'], release: ['release'] }

const isRelease = process.argv[2] === 'release'

// Tests want what was built and servers that run. The checks go on beside them, where one core would wait.
const building = buildPackages()
const checking = isRelease ? building : runChecks(building)
const [{ variables, missing, stop }] = await Promise.all([prepareServices(), building])
const [tested, checked] = await Promise.all([runVitest(variables), checking])
await stop()
// For a change, the models try a few cases. Each gets a minute before a release.
const modelled = isRelease ? await runScript('tools/model.mjs', ['60']) : true
// Not beside the tests: a mutant that slows them down too much counts as noticed.
const mutated = isRelease ? await runScript('tools/mutate.mjs') : true

const inCI = process.env.CI === 'true' || process.env.CI === '1'
const complete = missing.length === 0 || !inCI
for (const sentence of missing) console.log(sentence)
if (!complete) console.log('With CI=true every test has to run, so this is a failure.')
if (!checked) console.log('A check failed. See above, or run: npm run check')
process.exitCode = checked && tested && modelled && mutated && complete ? 0 : 1

function runVitest(variables) {
  const kinds = isRelease ? KINDS.release : KINDS.change
  const words = ['run', ...kinds.flatMap(kind => ['--project', kind])]
  return runScript('node_modules/vitest/vitest.mjs', words, variables)
}

/** Whether a script of Node ended well. */
function runScript(file, words = [], variables = {}) {
  const script = spawn(process.execPath, [join(ROOT, file), ...words], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, ...variables },
  })
  return new Promise(resolve => script.on('close', code => resolve(code === 0)))
}
