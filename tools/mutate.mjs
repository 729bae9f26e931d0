// npm run mutate                      every file that decides security
// npm run mutate -- csrf/token jwe    those with one of these words in their path
// npm run mutate -- --changed         those whose text is not the one that the last score is of
//
// Finds faults that no test would notice: Stryker makes every change it knows in a file, one at a time, and runs the tests of
// that file. See docs/decisions/062.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { addRow, changedSince, judge, rangesToRepeat, withRepeated } from './mutation-score.mjs'
import { outcomeLine, ROOT } from './workspace.mjs'

const HOME = join(ROOT, 'mutation')
const SCORES = join(HOME, 'scores.md')
const PACKAGE = 'packages/core'
const CHANGED = '--changed'

const REACHED = { testRunner: 'vitest', coverageAnalysis: 'perTest' }
const ALL_TESTS = { testRunner: 'all tests', coverageAnalysis: 'off' }

const { files } = readJson('files.json')
const survivors = readJson('survivors.json')
const words = process.argv.slice(2)
const names = namesFor(words)
if (names.length === 0 && words.includes(CHANGED)) {
  console.log('No file of mutation/files.json has changed since its score.')
  process.exit()
}
if (names.length === 0) {
  console.error(`No file of mutation/files.json has "${words.join('" or "')}" in its path.`)
  process.exit(2)
}

const missing = names.flatMap(filesOf).filter(file => !existsSync(join(ROOT, file)))
if (missing.length > 0) {
  console.error(`mutation/files.json names files that do not exist: ${missing.join(', ')}`)
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
  const text = textOf(name)
  const file = await findMutants(name, survivors[name] ?? [])
  const { mutants, killed, score, faults } = file
    ? judge(file, survivors[name] ?? [])
    : { faults: ['Stryker failed'] }
  const passed = faults.length === 0
  console.log(
    `${outcomeLine(name, { passed, started })}  ${killed} of ${mutants} noticed, ${score} %`,
  )
  for (const fault of faults) console.log(`  ${fault}`)
  if (file) {
    const row = {
      name,
      mutants,
      killed,
      score,
      text,
      date: today(),
    }
    writeFileSync(SCORES, addRow(readFileSync(SCORES, 'utf8'), row, Object.keys(files)))
  }
  return passed
}

/**
 * Answers the report of Stryker about one file, or null. First each mutant meets the tests that have reached it. Much is
 * loaded or derived at its first use, which Stryker attributes to the first test alone, so what survives meets all tests.
 */
async function findMutants(name, explained) {
  const source = sourceOf(name)
  const first = await runStryker(name, [source], REACHED)
  const ranges = first && rangesToRepeat(first, explained)
  if (!first || ranges.length === 0) return first
  const mutate = ranges.map(range => `${source}:${range}`)
  const second = await runStryker(name, mutate, ALL_TESTS)
  return second && withRepeated(first, second)
}

/** Answers what Stryker reports about the file that `mutate` has patterns for, or null. */
async function runStryker(name, mutate, how) {
  // The workspace is copied there. Vitest would find the tests of a copy that is inside.
  const copies = mkdtempSync(join(tmpdir(), 'mutants-'))
  const folder = join(HOME, 'node_modules/.cache', name)
  const [config, reported] = [join(folder, 'config.json'), join(folder, `${how.testRunner}.json`)]
  mkdirSync(folder, { recursive: true })
  rmSync(reported, { force: true })
  writeFileSync(config, JSON.stringify({ ...optionsFor(reported, copies), ...how, mutate }))
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
  if (code !== 0 || !existsSync(reported)) return null
  return JSON.parse(readFileSync(reported, 'utf8')).files[sourceOf(name)]
}

function optionsFor(reported, copies) {
  return {
    plugins: [
      join(HOME, 'node_modules/@stryker-mutator/vitest-runner/dist/src/index.js'),
      join(HOME, 'all-tests.mjs'),
    ],
    vitest: { configFile: 'mutation/vitest.config.ts', related: false },
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

function sourceOf(name) {
  return `${PACKAGE}/src/lib/${name}.ts`
}

function filesOf(name) {
  return [sourceOf(name), ...testsOf(name)]
}

function testsOf(name) {
  return files[name].map(test => (test.startsWith('packages/') ? test : `${PACKAGE}/${test}`))
}

function readJson(file) {
  return JSON.parse(readFileSync(join(HOME, file), 'utf8'))
}

function namesFor(words) {
  const all = Object.keys(files)
  if (words.length === 0) return all
  if (words.includes(CHANGED)) return changedSince(readFileSync(SCORES, 'utf8'), textOf, all)
  return all.filter(name => words.some(word => name.includes(word)))
}

/** The text of a file, as Git names it. A commit would not do: it is another one once it has been rebased. */
function textOf(name) {
  const words = ['hash-object', sourceOf(name)]
  return execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).slice(0, 8)
}

function today() {
  return new Date().toISOString().slice(0, 10)
}
