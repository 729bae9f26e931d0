// npm run mutate                      every file that decides security
// npm run mutate -- csrf/token jwe    those with one of these words in their path
//
// Finds faults that no test would notice: Stryker makes every change it knows in a file, one at a time, and runs the tests of
// that file. See docs/decisions/062.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { addRow, judge } from './mutation-score.mjs'
import { outcomeLine, ROOT } from './workspace.mjs'

const HOME = join(ROOT, 'mutation')
const SCORES = join(HOME, 'scores.md')
const PACKAGE = 'packages/core'

const { files } = readJson('files.json')
const survivors = readJson('survivors.json')
const words = process.argv.slice(2)
const names = Object.keys(files).filter(
  name => words.length === 0 || words.some(word => name.includes(word)),
)
if (names.length === 0) {
  console.error(`No file of mutation/files.json has "${words.join('" or "')}" in its path.`)
  process.exit(2)
}

if (!existsSync(join(HOME, 'node_modules'))) {
  console.log('Installing Stryker, into mutation/node_modules.')
  const words = ['ci', '--prefix', HOME, '--no-audit', '--no-fund', '--silent']
  execFileSync('npm', words, { cwd: HOME, stdio: 'inherit' })
}
for (const name of names) {
  if (!(await mutate(name))) process.exitCode = 1
}

async function mutate(name) {
  const started = performance.now()
  const source = `${PACKAGE}/src/lib/${name}.ts`
  const report = await runStryker(name, source)
  const { mutants, killed, score, faults } = report
    ? judge(report.files[source], survivors[name] ?? [])
    : { faults: ['Stryker failed'] }
  const passed = faults.length === 0
  console.log(
    `${outcomeLine(name, { passed, started })}  ${killed} of ${mutants} noticed, ${score} %`,
  )
  for (const fault of faults) console.log(`  ${fault}`)
  if (report) {
    const row = {
      name,
      mutants,
      killed,
      score,
      commit: git('rev-parse', '--short', 'HEAD'),
      date: today(),
    }
    writeFileSync(SCORES, addRow(readFileSync(SCORES, 'utf8'), row, Object.keys(files)))
  }
  return passed
}

/** Answers the report of Stryker about one file, or null. */
async function runStryker(name, source) {
  // The workspace is copied there. Vitest would find the tests of a copy that is inside.
  const copies = mkdtempSync(join(tmpdir(), 'mutants-'))
  const folder = join(HOME, 'node_modules/.cache', name)
  const [config, reported] = [join(folder, 'config.json'), join(folder, 'report.json')]
  mkdirSync(folder, { recursive: true })
  rmSync(reported, { force: true })
  writeFileSync(config, JSON.stringify(optionsFor(source, reported, copies)))
  const stryker = spawn(
    process.execPath,
    [join(HOME, 'node_modules/@stryker-mutator/core/bin/stryker.js'), 'run', config],
    {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...process.env, MUTATION_TESTS: testsOf(name).join(',') },
    },
  )
  const code = await new Promise(resolve => stryker.on('close', resolve))
  rmSync(copies, { recursive: true, force: true })
  return code === 0 && existsSync(reported) ? JSON.parse(readFileSync(reported, 'utf8')) : null
}

function optionsFor(source, reported, copies) {
  return {
    mutate: [source],
    testRunner: 'vitest',
    plugins: [join(HOME, 'node_modules/@stryker-mutator/vitest-runner/dist/src/index.js')],
    vitest: { configFile: 'mutation/vitest.config.ts', related: false },
    // By test, Stryker would attribute to the first test alone what is loaded or remembered at its first use.
    coverageAnalysis: 'all',
    concurrency: Number(
      process.env.MUTATION_CONCURRENCY ?? Math.max(1, availableParallelism() - 1),
    ),
    timeoutMS: 30_000,
    tempDirName: copies,
    ignorePatterns: ['bench', 'conformance', 'docs', 'examples', 'fixtures', 'dist'],
    // Stryker reads it with an interface that TypeScript 7 does not have. Vitest does not need it.
    tsconfigFile: 'none.json',
    disableTypeChecks: false,
    reporters: ['json'],
    jsonReporter: { fileName: reported },
    logLevel: 'warn',
    allowConsoleColors: false,
  }
}

function testsOf(name) {
  return files[name].map(test => (test.startsWith('packages/') ? test : `${PACKAGE}/${test}`))
}

function readJson(file) {
  return JSON.parse(readFileSync(join(HOME, file), 'utf8'))
}

function git(...words) {
  return execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).trim()
}

function today() {
  return new Date().toISOString().slice(0, 10)
}
